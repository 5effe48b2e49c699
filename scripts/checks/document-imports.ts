import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import { KIT, kitManifest } from "../package/entries.ts";

/**
 * Every place in a document that imports the package by a subpath or a Solidity file that it does
 * not have. The Solidity files must have been copied: by `npm run build`, or in `contracts/`.
 */
export function unknownImports(documents = projectDocuments()): string[] {
  const { name, exports } = kitManifest();
  const mention = new RegExp(`["'\`](${name}(?:/[\\w./-]+)?)["'\`]`, "g");
  return Object.entries(documents).flatMap(([path, text]) =>
    [...text.matchAll(mention)].flatMap(([, specifier = ""]) => {
      const subpath = `.${specifier.slice(name.length)}`;
      const exists = subpath.endsWith(".sol") ? isPacked(subpath) : Object.hasOwn(exports, subpath);
      return exists ? [] : `${path} imports ${specifier}, which the package does not have.`;
    }),
  );
}

function isPacked(subpath: string): boolean {
  return existsSync(join(KIT, subpath)) || existsSync(join(ROOT, subpath));
}

function projectDocuments(): Record<string, string> {
  const paths = globSync(["README.md", "docs/**/*.md", "kit/README.md"], { cwd: ROOT });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}
