import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { COMPILER_SETTINGS } from "../../hardhat.config.ts";
import { ROOT } from "./artifacts.ts";

const require = createRequire(import.meta.url);
const compiler = require("solc") as { compile(input: string): string };

export type Sources = Record<string, { content: string }>;

/**
 * Compiles sources as the project does.
 *
 * @param wanted Settings of the compiler beside the project's: what it answers, before all.
 */
export function solc<Output>(sources: Sources, wanted: object): Output {
  const settings = { ...COMPILER_SETTINGS, ...wanted };
  const input = JSON.stringify({ language: "Solidity", sources, settings });
  return JSON.parse(compiler.compile(input)) as Output;
}

/** The contract's source with everything that it imports, by the names under which they import each other. */
export function sourcesOf(path: string): Sources {
  const sources: Sources = {};
  const add = (name: string) => {
    if (sources[name] !== undefined) return;
    const file = name.startsWith("contracts/") ? join(ROOT, name) : require.resolve(name);
    const content = readFileSync(file, "utf8");
    sources[name] = { content };
    for (const [, imported = ""] of content.matchAll(/^import [^;]*?["']([^"']+)["'];/gms)) {
      add(imported.startsWith(".") ? posix.join(dirname(name), imported) : imported);
    }
  };
  add(path);
  return sources;
}
