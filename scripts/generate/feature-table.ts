import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, isTable } from "drizzle-orm";
import type { FeatureDescriptor } from "../../api/platform/define-feature.ts";
import type { OperationTable } from "../../api/platform/http/operations.ts";
import { ROOT } from "../lib/artifacts.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGenerated } from "./marked-text.ts";

const FILE = "docs/architecture.md";
/** Parts that are described like a feature, and lie beside the features. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ["platform", "api/platform"],
  ["operations", "api/operations"],
  ["web", "web"],
]);

/** docs/architecture.md with the current table of features. */
export function architectureWithFeatures(features: readonly FeatureDescriptor[]): GeneratedFile {
  const text = readFileSync(join(ROOT, FILE), "utf8");
  return { path: FILE, content: withGenerated(text, "api/features.ts", featureTable(features)) };
}

/** One row for each feature, in dependency order. */
export function featureTable(features: readonly FeatureDescriptor[]): string {
  const rows = features.map((feature) => {
    const { name, tables, jobs, events } = feature;
    const decisions = Object.values(feature.decisions ?? {});
    const typedData = [
      ...Object.values(feature.typedData ?? {}),
      ...decisions.map((decision) => decision.typedData),
    ];
    const operations: OperationTable = Object.assign(
      {},
      feature.operations,
      ...[...Object.values(feature.endpoints ?? {}), ...typedData, ...decisions].map(
        ({ rules }) => rules,
      ),
    );
    const isPage = (id: string) => operations[id]?.answers !== undefined;
    const ids = Object.keys(operations);
    return [
      OUTSIDE.get(name) ?? `api/features/${name}`,
      list(ids.filter((id) => !isPage(id))),
      list(ids.filter(isPage)),
      list(Object.values(tables).filter(isTable).map(getTableName)),
      list(Object.keys(jobs)),
      list(events),
    ];
  });
  return [
    ["folder", "operations", "pages and their files", "tables", "jobs", "events"],
    Array.from({ length: 6 }, () => "---"),
    ...rows,
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function list(names: readonly string[]): string {
  return names.join(", ");
}
