import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { type Retention, termsOf } from "../../api/platform/database/columns.ts";
import { ROOT } from "../lib/artifacts.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGenerated } from "./marked-text.ts";

const FILE = "docs/operations.md";

/** docs/operations.md with how long the rows of each table are kept. */
export function operationsWithRetention(tables: readonly object[]): GeneratedFile {
  const text = readFileSync(join(ROOT, FILE), "utf8");
  const rows = tables
    .flatMap((exported) => Object.values(exported))
    .filter((value): value is PgTable => is(value, PgTable))
    .map((table) => [`\`${getTableName(table)}\``, described(termsOf(table).kept)].join(" | "))
    .toSorted();
  const part = ["table | kept", "--- | ---", ...rows].map((row) => `| ${row} |`).join("\n");
  return { path: FILE, content: withGenerated(text, "the tables' terms", part) };
}

function described(kept: Retention): string {
  if ("forever" in kept) return `For ever: ${kept.forever}`;
  if ("removedBy" in kept) {
    const isJob = kept.removedBy.includes(".");
    return `Deleted by ${isJob ? `\`${kept.removedBy}\`` : kept.removedBy} ${kept.when}.`;
  }
  const only =
    kept.only === undefined ? "" : ` Only rows with \`${kept.only}\`; the others for ever.`;
  const written = kept.written === undefined ? "" : ` (${kept.written})`;
  return `${kept.days} days after \`${kept.since}\`${written}.${only}`;
}
