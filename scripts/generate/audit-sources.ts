import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import { SOURCES_HASH_FILE } from "./contract-artifacts.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { withGenerated } from "./marked-text.ts";

const AUDIT_FILE = "docs/audit.md";

/**
 * The document for auditors with the hash that names the sources it is about.
 *
 * @throws when the hash of the sources is not among the generated files.
 */
export function auditWithSources(artifacts: readonly GeneratedFile[]): GeneratedFile {
  const hash = artifacts.find(({ path }) => path === SOURCES_HASH_FILE)?.content.trim();
  if (!hash) throw new Error(`${SOURCES_HASH_FILE} is not generated.`);
  const text = readFileSync(join(ROOT, AUDIT_FILE), "utf8");
  const part = `Sources (SHA-256): \`${hash}\``;
  return { path: AUDIT_FILE, content: withGenerated(text, "the contracts' sources", part) };
}
