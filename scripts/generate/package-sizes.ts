import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import { kitManifest } from "../package/entries.ts";
import { kilobytes, recordedSizes } from "../package/sizes.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGenerated } from "./marked-text.ts";

const GUIDE_FILE = "docs/package.md";

/** The package's guide with the recorded sizes. */
export function guideWithSizes(): GeneratedFile {
  const { name } = kitManifest();
  const rows = Object.entries(recordedSizes()).map(
    ([subpath, bytes]) => `| \`${name}${subpath.slice(1)}\` | ${kilobytes(bytes)} |`,
  );
  const table = ["| import | size |", "|---|---|", ...rows].join("\n");
  const guide = readFileSync(join(ROOT, GUIDE_FILE), "utf8");
  return {
    path: GUIDE_FILE,
    content: withGenerated(guide, "scripts/package/sizes.json", table),
  };
}
