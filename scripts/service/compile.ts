import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Loader, type OnResolveArgs, type Plugin } from "esbuild";
import type { Lockfile } from "../checks/lockfile.ts";
import { readJson } from "../lib/json-file.ts";

const ROOT = resolve(import.meta.dirname, "../..");

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
  readonly entries: readonly [string, ...string[]];
  readonly out: string;
  /**
   * The way from the folder of an entry to that of the root, such as `../`, the same for all
   * entries. The compiled files find data and packages by it, wherever both are moved together.
   * Default: they find them in the repository.
   */
  readonly toRoot?: string;
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
  const { root = ROOT, plugins = [], toRoot, entries } = options;
  const place = placeIn(root, toRoot);
  const { metafile } = await build({
    ...SETTINGS,
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: options.out,
    outbase: root,
    // As far from the root as the entries are.
    chunkNames: join(dirname(entries[0]), "../chunks/[name]-[hash]"),
    plugins: [
      ...plugins,
      // `require` takes no URL.
      toRoot === undefined
        ? installedPackages(
            (path) => path,
            () => false,
          )
        : installedPackages(place, developmentPackages(root)),
      placed(place),
    ],
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
  platform: "node",
  format: "esm",
  target: "node22",
  // CommonJS packages call `require`; the others are for `placed`.
  banner: {
    js: [
      'import{createRequire as __createRequire}from"node:module"',
      'import{dirname as __directoryOf}from"node:path"',
      'import{fileURLToPath as __pathOf}from"node:url"',
      "const __compiledUrl=import.meta.url,require=__createRequire(__compiledUrl);",
    ].join(";"),
  },
  define: {
    "import.meta.url": "__moduleUrl",
    "import.meta.dirname": "__moduleDirectory",
    "import.meta.filename": "__modulePath",
  },
  logLevel: "silent",
} as const satisfies BuildOptions;

/** How a compiled file names a file of the root: by its URL, or relative to itself. */
type Place = (path: string) => string;

function placeIn(root: string, toRoot: string | undefined): Place {
  if (toRoot === undefined) return (path) => pathToFileURL(path).href;
  return (path) => {
    const own = relative(root, path);
    return toRoot + (isOfPackage(own) ? own : own.replace(/\.tsx?$/, ".js"));
  };
}

/** Whether a file is of a package that an installation for production lacks. */
function developmentPackages(root: string): (path: string) => boolean {
  const lockfile = join(root, "package-lock.json");
  const packages = existsSync(lockfile) ? readJson<Lockfile>(lockfile).packages : {};
  return (path) => {
    const [, folder = ""] = PACKAGE_FOLDER.exec(relative(root, path)) ?? [];
    return packages[folder]?.dev === true;
  };
}

/** The innermost package of a path. */
const PACKAGE_FOLDER = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

const isOfPackage = (path: string) => path.split("/").includes("node_modules");

const INSTALLED_PACKAGES = "installed-packages";

/** Names what stays outside by its place. */
const installedPackages = (place: Place, isMissing: (path: string) => boolean): Plugin => ({
  name: INSTALLED_PACKAGES,
  setup(compiler) {
    const found = async ({ path, importer, resolveDir, kind }: OnResolveArgs) => {
      const options = { importer, resolveDir, kind, pluginData: INSTALLED_PACKAGES };
      const result = await compiler.resolve(path, options);
      return result.errors.length > 0 ? undefined : result;
    };
    compiler.onResolve({ filter: /^[^./]/ }, async (args) => {
      if (args.pluginData === INSTALLED_PACKAGES || args.kind === "entry-point") return;
      const result = await found(args);
      // An optional package that is not installed.
      if (result === undefined || isMissing(result.path))
        return { path: args.path, external: true };
      if (result.external) return result;
      const isInstalled =
        INSTALLED.test(args.path) ||
        result.path.endsWith(".node") ||
        (await isCommonJsImport(args, result.path));
      return isInstalled ? { path: place(result.path), external: true } : undefined;
    });
    compiler.onResolve({ filter: /\.node$/ }, async (args) => {
      if (args.pluginData === INSTALLED_PACKAGES) return;
      const path = (await found(args))?.path;
      return { path: path === undefined ? args.path : place(path), external: true };
    });
  },
});

/** A bundler gives such an import no names. */
async function isCommonJsImport({ kind }: OnResolveArgs, path: string): Promise<boolean> {
  return kind === "dynamic-import" && !ESM_SYNTAX.test(await readFile(path, "utf8"));
}

/** Tells each module where it is, which the bundle would otherwise answer with its own place. */
function placed(place: Place): Plugin {
  return {
    name: "placed",
    setup(compiler) {
      compiler.onLoad({ filter: SOURCE }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const constants = constantsOf(source, place(path));
        return {
          contents: source.replace(HASHBANG, (line) => line + constants),
          loader: loaderOf(path),
        };
      });
    },
  };
}

function constantsOf(source: string, place: string): string {
  const url = `new URL(${JSON.stringify(place)},__compiledUrl)`;
  if (source.includes("import.meta")) {
    return `const __moduleUrl=${url}.href,__modulePath=__pathOf(__moduleUrl),__moduleDirectory=__directoryOf(__modulePath);`;
  }
  const isCommonJs = /\b__(?:dir|file)name\b/.test(source) && !ESM_SYNTAX.test(source);
  return isCommonJs ? `var __filename=__pathOf(${url}),__dirname=__directoryOf(__filename);` : "";
}

function loaderOf(path: string): Loader {
  if (/\.[cm]?ts$/.test(path)) return "ts";
  return path.endsWith(".tsx") ? "tsx" : path.endsWith(".jsx") ? "jsx" : "js";
}
