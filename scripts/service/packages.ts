import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Lockfile } from "../checks/lockfile.ts";
import { readJson } from "../lib/json-file.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** A package's own folder; those of its own copies of other packages are below it. */
const TOP_LEVEL = /^node_modules\/(?:@[^/]+\/)?[^/]+$/;

/**
 * Gives a built service the packages that `npm ci --omit=dev` would install there, as links to this
 * clone's: what only tests and compilers use is not found.
 */
export function linkPackages(out: string): void {
  const { packages } = readJson<Lockfile>(join(ROOT, "package-lock.json"));
  for (const [path, { dev, link }] of Object.entries(packages)) {
    if (!TOP_LEVEL.test(path) || dev || link || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(out, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(out, path));
  }
}
