import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as bundle } from "esbuild";
import { build } from "tsdown";
import { ROOT } from "../lib/artifacts.ts";
import { KIT } from "./entries.ts";
import { copySolidity } from "./solidity.ts";

/** Each folder's `index.ts`, what only Node runs of disclosures, and the command `svc`. */
const ENTRIES = "{*/index,disclosure/send,cli/main}.ts";

/**
 * Builds the package into `kit/dist`: one file per source file, so that a bundler takes only what is
 * used. `protocol/` becomes a part of it, and only the packages of kit/package.json stay imports.
 */
export async function buildPackage(): Promise<void> {
  copyFileSync(join(ROOT, "LICENSE"), join(KIT, "LICENSE"));
  copySolidity(KIT);
  await build({
    config: false,
    cwd: KIT,
    entry: ENTRIES,
    root: ROOT,
    tsconfig: join(ROOT, "tsconfig.json"),
    format: "esm",
    platform: "neutral",
    target: "es2023",
    unbundle: true,
    dts: true,
    // No module of the package works by being imported alone.
    treeshake: { moduleSideEffects: false },
    // Every import of a package must be one of kit/package.json.
    deps: { neverBundle: [/^node:/, /^@noble\//, "hono"], onlyBundle: [] },
    logLevel: "warn",
    inputOptions: { checks: { pluginTimings: false } },
    outDir: join(KIT, "dist"),
  });
  makeHonoOptional();
  await containCurves();
}

/** Without Hono, the types of all other middlewares must still be found. */
function makeHonoOptional(): void {
  const path = join(KIT, "dist/kit/tokens/hono.d.ts");
  const types = readFileSync(path, "utf8");
  const statement = 'import { MiddlewareHandler } from "hono";';
  if (!types.includes(statement)) throw new Error(`${path} does not contain: ${statement}`);
  writeFileSync(path, types.replace(statement, `// @ts-ignore: Hono is optional.\n${statement}`));
}

const CURVES = `export { gcm } from "@noble/ciphers/aes.js";
export { secp256k1 } from "@noble/curves/secp256k1.js";
`;

/**
 * Puts the two functions of @noble that disclosures need into the package. As dependencies they
 * would be installed in other versions than viem's, which npm then installs four times over.
 */
async function containCurves(): Promise<void> {
  const vendor = join(KIT, "dist/vendor");
  await bundle({
    stdin: { contents: CURVES, resolveDir: KIT },
    outfile: join(vendor, "noble.js"),
    bundle: true,
    format: "esm",
    target: "es2023",
    logLevel: "error",
  });
  copyFileSync(join(ROOT, "node_modules/@noble/curves/LICENSE"), join(vendor, "LICENSE"));
  const path = join(KIT, "dist/kit/disclosure/encryption.js");
  const code = readFileSync(path, "utf8");
  const contained = code.replace(/"@noble\/[^"]+"/g, '"../../vendor/noble.js"');
  if (contained === code) throw new Error(`${path} does not import @noble.`);
  writeFileSync(path, contained);
}
