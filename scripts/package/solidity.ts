import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { ROOT } from "../lib/artifacts.ts";

/** What contracts of other projects import. The mocks for their tests are in kit/contracts/mocks. */
const PACKED = [
  "interfaces/*.sol",
  "erc8004/interfaces/*.sol",
  "examples/*.sol",
  "libraries/{FieldProofs,Names}.sol",
];

const OPENZEPPELIN = "@openzeppelin/contracts";
/** The package's copy of the files of OpenZeppelin that these import, so that integrators need not install it. */
const COPY = "openzeppelin";

const IMPORT = /(import\s[^;]*?")([^"]+)(";)/g;

/** Copies the Solidity files into `kit/contracts`, so that each of them compiles there alone. */
export function copySolidity(kit: string): void {
  const target = join(kit, "contracts");
  for (const folder of ["interfaces", "erc8004", "examples", "libraries", COPY]) {
    rmSync(join(target, folder), { recursive: true, force: true });
  }
  const copied = new Set<string>();
  for (const path of globSync(PACKED, { cwd: join(ROOT, "contracts") }).sort()) {
    copyWithImports(join(ROOT, "contracts", path), path);
  }

  /** @param place of the copy, within `contracts`. */
  function copyWithImports(source: string, place: string): void {
    if (copied.has(place)) return;
    copied.add(place);
    const text = readFileSync(source, "utf8").replace(
      IMPORT,
      (_statement, before: string, imported: string, after: string) => {
        const wanted = imported.startsWith(`${OPENZEPPELIN}/`)
          ? posix.join(COPY, imported.slice(OPENZEPPELIN.length + 1))
          : posix.join(posix.dirname(place), imported);
        copyWithImports(sourceOf(wanted), wanted);
        const path = relative(dirname(place), wanted);
        return `${before}${path.startsWith(".") ? path : `./${path}`}${after}`;
      },
    );
    mkdirSync(dirname(join(target, place)), { recursive: true });
    writeFileSync(join(target, place), text);
  }
}

function sourceOf(place: string): string {
  const path = place.startsWith(`${COPY}/`)
    ? join(ROOT, "node_modules", OPENZEPPELIN, place.slice(COPY.length + 1))
    : join(ROOT, "contracts", place);
  if (!existsSync(path)) throw new Error(`The package imports ${place}, which does not exist.`);
  return path;
}
