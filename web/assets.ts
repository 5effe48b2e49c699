import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Every script that a page can name: `scripts/<name>.tsx`. */
export const PAGE_SCRIPTS = [
  "claim",
  "sign",
  "profile",
  "home",
  "owner",
  "approve",
  "verify",
  "reference",
  "events",
  "endpoints",
  "explorer",
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
  /** The typeface of headings. */
  readonly font: string;
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
  woff2: "font/woff2",
};

/** Where `styles/tokens.css` takes the typeface of headings from. */
const FONT_FILE = "bricolage-grotesque-latin-600-normal.woff2";

/** What pages load, as it is stored. */
interface BundledAssets extends Pick<PageAssets, "style" | "icon" | "font" | "scripts"> {
  /** The content of each file in base64, by its name without a folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Written by `npm run build:service` in its output; a clone has none. */
export const BUNDLED_ASSETS_FILE = new URL("./assets.built.json", import.meta.url);

let bundled: BundledAssets | undefined;

/**
 * Reads what pages load. A clone has only the sources, which a process bundles once, when
 * its first server starts.
 *
 * @throws Error naming what does not compile.
 */
export function buildPageAssets(): PageAssets {
  bundled ??= existsSync(BUNDLED_ASSETS_FILE)
    ? (JSON.parse(readFileSync(BUNDLED_ASSETS_FILE, "utf8")) as BundledAssets)
    : bundlePageAssets();
  const { files, ...urls } = bundled;
  const assets = new Map(
    Object.entries(files).map(([file, content]): [string, PageAsset] => [
      file,
      { bytes: new Uint8Array(Buffer.from(content, "base64")), contentType: contentTypeOf(file) },
    ]),
  );
  return { ...urls, find: (file) => assets.get(file) };
}

/**
 * Bundles what pages load. Synchronously: esbuild's other form leaves a process behind.
 *
 * @throws Error naming what does not compile.
 */
export function bundlePageAssets(): BundledAssets {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const sources = ["style.css", "icon.svg", ...PAGE_SCRIPTS.map((name) => `scripts/${name}.tsx`)];
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: sources,
    outdir: "assets",
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: ASSET_PATH,
    loader: { ".svg": "copy", ".woff2": "file" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    // The components that the server answers with draw in the browser as well.
    tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "hono/jsx/dom" } },
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });

  const files: Record<string, string> = {};
  const urls = new Map<string, string>();
  for (const [output, { entryPoint, inputs }] of Object.entries(metafile.outputs)) {
    const built = outputFiles.find(({ path }) => path === join(folder, output));
    const file = basename(output);
    // A file that the style names is no entry point: it has one input, itself.
    const source = entryPoint ?? basename(Object.keys(inputs)[0] ?? "");
    if (!built || source === "") throw new Error(`No route serves ${output}.`);
    contentTypeOf(file);
    files[file] = Buffer.from(built.contents).toString("base64");
    urls.set(source, `${ASSET_PATH}/${file}`);
  }
  const urlOf = (source: string): string => {
    const url = urls.get(source);
    if (url === undefined) throw new Error(`${source} was not built.`);
    return url;
  };
  return {
    style: urlOf("style.css"),
    icon: urlOf("icon.svg"),
    font: urlOf(FONT_FILE),
    scripts: Object.fromEntries(
      PAGE_SCRIPTS.map((name) => [name, urlOf(`scripts/${name}.tsx`)]),
    ) as Record<PageScript, string>,
    files,
  };
}

function contentTypeOf(file: string): string {
  const contentType = CONTENT_TYPES[file.split(".").at(-1) ?? ""];
  if (contentType === undefined) throw new Error(`No route serves ${file}.`);
  return contentType;
}
