import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Every script that a page can name: `scripts/<name>.ts`. */
export const PAGE_SCRIPTS = [
  "claim",
  "sign",
  "profile",
  "home",
  "owner",
  "approve",
  "verify",
] as const;
export type PageScript = (typeof PAGE_SCRIPTS)[number];

/** A file that pages load. */
export interface PageAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** The files that pages load, under names that hold the hash of their content. */
export interface PageAssets {
  readonly style: string;
  readonly icon: string;
  readonly scripts: Readonly<Record<PageScript, string>>;
  /** By file name, without a folder. */
  find(file: string): PageAsset | undefined;
}

/** Where they are served. */
export const ASSET_PATH = "/assets";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/**
 * Bundles what pages load, once, when the server starts. Synchronously: esbuild's other form leaves a process behind.
 *
 * @throws Error naming what does not compile.
 */
export function buildPageAssets(): PageAssets {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const sources = ["style.css", "icon.svg", ...PAGE_SCRIPTS.map((name) => `scripts/${name}.ts`)];
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: sources,
    outdir: "assets",
    entryNames: "[name]-[hash]",
    loader: { ".svg": "copy" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });

  const files = new Map<string, PageAsset>();
  const urls = new Map<string, string>();
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    const built = outputFiles.find(({ path }) => path === join(folder, output));
    const file = basename(output);
    const contentType = CONTENT_TYPES[file.split(".").at(-1) ?? ""];
    if (!built || !entryPoint || !contentType) throw new Error(`No route serves ${output}.`);
    files.set(file, { bytes: new Uint8Array(built.contents), contentType });
    urls.set(entryPoint, `${ASSET_PATH}/${file}`);
  }
  const urlOf = (source: string): string => {
    const url = urls.get(source);
    if (url === undefined) throw new Error(`${source} was not built.`);
    return url;
  };
  return {
    style: urlOf("style.css"),
    icon: urlOf("icon.svg"),
    scripts: Object.fromEntries(
      PAGE_SCRIPTS.map((name) => [name, urlOf(`scripts/${name}.ts`)]),
    ) as Record<PageScript, string>,
    find: (file) => files.get(file),
  };
}
