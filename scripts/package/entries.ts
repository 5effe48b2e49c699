import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";

/** The folder of the npm package. */
export const KIT = join(ROOT, "kit");

interface Target {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target | string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export function kitManifest(): Manifest {
  return readJson<Manifest>(join(KIT, "package.json"));
}

/** A module that integrators import. */
export interface Entry {
  /** Such as `.` or `./did`. */
  readonly subpath: string;
  /** As it is imported: the package's name, and the subpath. */
  readonly specifier: string;
  /** The built file. */
  readonly file: string;
  /** The source file, within kit/. */
  readonly source: string;
}

/** The entries that are code, in the order of the manifest. */
export function kitEntries(): Entry[] {
  const { name, exports } = kitManifest();
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    return {
      subpath,
      specifier: `${name}${subpath.slice(1)}`,
      file: join(KIT, target.default),
      source: target.default.replace(/^\.\/dist\/kit\//, "").replace(/\.js$/, ".ts"),
    };
  });
}
