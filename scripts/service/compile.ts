import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Loader, type OnResolveArgs, type Plugin } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * Loaded from where they are installed: they start programs or threads of their own, or are loaded
 * by others from there.
 */
const INSTALLED = /^(?:esbuild|lightningcss|piscina|pino|solc|tsx|typescript|vite)(?:\/|$)/;

const SOURCE = /\.[cm]?[jt]sx?$/;
const ESM_SYNTAX = /^\s*(?:import|export)\b/m;
const HASHBANG = /^(?:#!.*\n)?/;

export interface CompileOptions {
  /** Default: the repository's. */
  readonly root?: string;
  /** Sources, from the root. */
  readonly entries: readonly string[];
  readonly out: string;
  /**
   * Where a source of the repository believes itself to be, for data beside it. Default: where it
   * is.
   */
  readonly placeOf?: (path: string) => string;
  /** Take precedence over what is found in the packages. */
  readonly plugins?: readonly Plugin[];
}

/**
 * Compiles the entries with their packages into few files, which load in a fraction of the time of
 * thousands. There is no source map: with one, V8 would hold 180 MB more as soon as an error has a
 * stack. A comment in the file names the source of each part.
 *
 * @returns the files that went in, from the root.
 */
export async function compileWhole(options: CompileOptions): Promise<readonly string[]> {
  const { root = ROOT, plugins = [] } = options;
  const { metafile } = await build({
    ...SETTINGS,
    absWorkingDir: root,
    entryPoints: [...options.entries],
    outdir: options.out,
    outbase: root,
    plugins: [...plugins, installedPackages, placed(root, options.placeOf ?? ((path) => path))],
  });
  // What a plugin made has the plugin's name before a colon.
  return Object.keys(metafile.inputs).filter(
    (path) => !plugins.some(({ name }) => path.startsWith(`${name}:`)),
  );
}

const SETTINGS = {
  bundle: true,
  splitting: true,
  metafile: true,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node22",
  // CommonJS packages call it.
  banner: {
    js: 'import{createRequire as createRequireOfBundle}from"node:module";const require=createRequireOfBundle(import.meta.url);',
  },
  define: {
    "import.meta.url": "__moduleUrl",
    "import.meta.dirname": "__moduleDirectory",
    "import.meta.filename": "__modulePath",
  },
  logLevel: "silent",
} as const satisfies BuildOptions;

/** Names what stays outside by its path, because the bundle is elsewhere. */
const installedPackages: Plugin = {
  name: "installed-packages",
  setup(compiler) {
    const found = async ({ path, importer, resolveDir, kind }: OnResolveArgs) => {
      const options = { importer, resolveDir, kind, pluginData: installedPackages.name };
      const result = await compiler.resolve(path, options);
      return result.errors.length > 0 ? undefined : result;
    };
    compiler.onResolve({ filter: /^[^./]/ }, async (args) => {
      if (args.pluginData === installedPackages.name || args.kind === "entry-point") return;
      const result = await found(args);
      // An optional package that is not installed.
      if (result === undefined) return { path: args.path, external: true };
      if (result.external) return result;
      const isInstalled =
        INSTALLED.test(args.path) ||
        result.path.endsWith(".node") ||
        (await isCommonJsImport(args, result.path));
      return isInstalled ? { path: result.path, external: true } : undefined;
    });
    compiler.onResolve({ filter: /\.node$/ }, async (args) => {
      if (args.pluginData === installedPackages.name) return;
      return { path: (await found(args))?.path ?? args.path, external: true };
    });
  },
};

/** A bundler gives such an import no names. */
async function isCommonJsImport({ kind }: OnResolveArgs, path: string): Promise<boolean> {
  return kind === "dynamic-import" && !ESM_SYNTAX.test(await readFile(path, "utf8"));
}

/** Tells each module where it is, which the bundle would otherwise answer with its own place. */
function placed(root: string, placeOf: (path: string) => string): Plugin {
  return {
    name: "placed",
    setup(compiler) {
      compiler.onLoad({ filter: SOURCE }, async ({ path }) => {
        const isPackage = relative(root, path).split("/").includes("node_modules");
        const source = await readFile(path, "utf8");
        const place = constantsOf(source, isPackage ? path : placeOf(path));
        return {
          contents: source.replace(HASHBANG, (line) => line + place),
          loader: loaderOf(path),
        };
      });
    },
  };
}

function constantsOf(source: string, path: string): string {
  const [file, directory] = [JSON.stringify(path), JSON.stringify(dirname(path))];
  if (source.includes("import.meta")) {
    const url = JSON.stringify(pathToFileURL(path).href);
    return `const __moduleUrl=${url},__moduleDirectory=${directory},__modulePath=${file};`;
  }
  const isCommonJs = /\b__(?:dir|file)name\b/.test(source) && !ESM_SYNTAX.test(source);
  return isCommonJs ? `var __dirname=${directory},__filename=${file};` : "";
}

function loaderOf(path: string): Loader {
  if (/\.[cm]?ts$/.test(path)) return "ts";
  return path.endsWith(".tsx") ? "tsx" : path.endsWith(".jsx") ? "jsx" : "js";
}
