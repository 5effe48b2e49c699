import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";
import { kitEntries, kitManifest } from "./entries.ts";

/** The recorded sizes, by subpath. */
export type EntrySizes = Readonly<Record<string, number>>;

export const SIZES_FILE = join(ROOT, "scripts/package/sizes.json");

/** How much an entry may grow over its recorded size before the check fails, as a share. */
const HEADROOM = 0.05;

/**
 * Bytes of each entry when it is bundled whole, minified and compressed with gzip. The peers stay
 * outside: viem, and Hono's types.
 */
export async function measureSizes(): Promise<EntrySizes> {
  const external = ["node:*", ...Object.keys(kitManifest().peerDependencies)];
  const sizes: Record<string, number> = {};
  for (const { subpath, file } of kitEntries()) {
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2023",
      external,
      write: false,
      logLevel: "error",
    });
    sizes[subpath] = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  }
  return sizes;
}

export function recordedSizes(): EntrySizes {
  return readJson<EntrySizes>(SIZES_FILE);
}

/** One line for each entry that grew, is new or is gone. */
export function sizeChanges(recorded: EntrySizes, measured: EntrySizes): string[] {
  const subpaths = [...new Set([...Object.keys(recorded), ...Object.keys(measured)])];
  return subpaths.flatMap((subpath) => {
    const before = recorded[subpath];
    const now = measured[subpath];
    if (before === undefined) return `${subpath} has no recorded size.`;
    if (now === undefined) return `${subpath} is recorded, and does not exist.`;
    if (now <= before * (1 + HEADROOM)) return [];
    return `${subpath} has ${now} bytes, and had ${before}.`;
  });
}

/** Such as `12.3 kB`. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
