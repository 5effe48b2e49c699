import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../..");
const NAMESPACE = "indexer-code";

/** The files that Ponder runs, below the indexer's directory. */
const RUN_BY_PONDER = ["ponder.{config,schema}.ts", "src/**/*.ts"];
/** What these files import from Ponder, which makes it at each start. */
const MADE_BY_PONDER = ["ponder:registry", "ponder:schema", "ponder:api"];
const PONDERS_MODULES = "node_modules/ponder/dist/esm/build/plugin.js";

/** `ponder start` finds and transforms nothing where its files are in the bundle. */
const REPLACED: Readonly<Record<string, string>> = {
  vite: `export const createServer = async ({ root }) => ({
    config: { root },
    pluginContainer: { buildStart: async () => {} },
    close: async () => {},
  });`,
  "vite-node/server": "export class ViteNodeServer {}",
  "vite-node/source-map": "export const installSourcemapsSupport = () => {};",
  "vite-tsconfig-paths": "export default () => ({});",
};
const RUNNER = "vite-node/client";

/**
 * Compiles the indexer's code together with Ponder. Ponder alone would have vite transform the code
 * at each start, and load the packages that the code imports a second time.
 *
 * @param root Default: the repository's.
 */
export async function indexerCode(root = ROOT): Promise<Plugin> {
  const directory = join(root, "indexer");
  const schemaFile = join(directory, "ponder.schema.ts");
  const { vitePluginPonder } = await import(pathToFileURL(join(root, PONDERS_MODULES)).href);
  const modules: { load(id: string): string | null } = vitePluginPonder({ schemaFile });
  const runnable = [
    ...globSync(RUN_BY_PONDER, { cwd: directory }).map((file) => [file, join(directory, file)]),
    ...MADE_BY_PONDER.map((id) => [id, id]),
  ];
  const loaders = runnable.map(
    ([id, path]) => `${JSON.stringify(id)}: () => import(${JSON.stringify(path)})`,
  );
  const runner = `import { relative } from "node:path";
    const modules = { ${loaders.join(", ")} };
    export class ViteNodeRunner {
      constructor({ root }) {
        this.executeId = (id) =>
          modules[id]?.() ?? Promise.reject(new Error(id + " is not in the bundle."));
        this.executeFile = (file) => this.executeId(relative(root, file));
      }
    }`;

  return {
    name: NAMESPACE,
    setup(compiler) {
      const resolveDir = directory;
      compiler.onResolve({ filter: /^(?:vite|ponder:)/ }, ({ path, importer }) => {
        const isMade = MADE_BY_PONDER.includes(path);
        const isReplaced =
          (path in REPLACED || path === RUNNER) && importer.includes("/ponder/dist/esm/build/");
        return isMade || isReplaced ? { path, namespace: NAMESPACE } : undefined;
      });
      compiler.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => {
        const made = MADE_BY_PONDER.includes(path) ? modules.load(path) : undefined;
        const contents = made ?? (path === RUNNER ? runner : REPLACED[path]);
        return { contents: contents ?? "", loader: "js", resolveDir };
      });
    },
  };
}
