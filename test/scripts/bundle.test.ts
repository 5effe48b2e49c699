import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLUSTER, findBundle, makeBundle } from "../../scripts/local-stack/bundle/bundle.ts";
import { compileWhole } from "../../scripts/service/compile.ts";
import { indexerCode } from "../../scripts/service/indexer-code.ts";

const PROGRAM = "api/server.ts";

let root: string;
let cache: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "bundle-")));
  cache = join(root, "cache");
  write("package.json", '{ "type": "module" }');
  write(PROGRAM, 'import { word } from "./word.ts"; import say from "say"; say(word);');
  write("api/word.ts", 'export const word: string = "first";');
  write("node_modules/say/package.json", '{ "name": "say", "main": "index.js" }');
  write("node_modules/say/index.js", "module.exports = (word) => console.log(word, __dirname);");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const compile = (folder: string) =>
  compileWhole({ root, entries: [PROGRAM], out: join(folder, "service") });
const make = () => makeBundle(compile, cache, root);

function run(): string {
  const program = findBundle(cache, root)?.programOf(PROGRAM);
  if (program === undefined) return "no bundle";
  return execFileSync(process.execPath, [program], { encoding: "utf8" }).trim();
}

describe("the bundle of the local stack", () => {
  it("runs a program with its packages, which know where they are installed", async () => {
    expect(run()).toBe("no bundle");
    await make();
    expect(run()).toBe(`first ${join(root, "node_modules/say")}`);
  });

  it("requires what stays installed from where that is", async () => {
    write("node_modules/pino/package.json", '{ "main": "index.js" }');
    write("node_modules/pino/index.js", 'module.exports = "installed";');
    write("node_modules/say/index.js", "module.exports = () => console.log(require('pino'));");
    await make();
    expect(run()).toBe("installed");
  });

  it("finds its packages and data where it is moved with them, without those for development", async () => {
    const [made, moved] = [join(root, "made"), join(root, "moved")];
    write(
      PROGRAM,
      `import { readFileSync } from "node:fs"; import say from "say"; import { place } from "pino";
       import coloured from "coloured";
       say(readFileSync(new URL("data.txt", import.meta.url), "utf8") + coloured + place);`,
    );
    write("node_modules/coloured/package.json", '{ "main": "index.js" }');
    write(
      "node_modules/coloured/index.js",
      `try { module.exports = require("colours"); } catch { module.exports = "plain "; }`,
    );
    write("node_modules/colours/package.json", '{ "main": "index.js" }');
    write("node_modules/colours/index.js", 'module.exports = "colours ";');
    write("package-lock.json", '{ "packages": { "node_modules/colours": { "dev": true } } }');
    write("node_modules/pino/package.json", '{ "type": "module", "main": "index.js" }');
    write("node_modules/pino/index.js", "export const place = import.meta.dirname;");
    await compileWhole({ root, entries: [PROGRAM], out: made, toRoot: "../" });
    renameSync(made, moved);
    renameSync(join(root, "node_modules"), join(moved, "node_modules"));
    // Of an installation without what is for development.
    rmSync(join(moved, "node_modules/colours"), { recursive: true });
    writeFileSync(join(moved, "api/data.txt"), "data ");
    const program = join(moved, PROGRAM.replace(".ts", ".js"));
    expect(execFileSync(process.execPath, [program], { encoding: "utf8" }).trim()).toBe(
      `data plain ${join(moved, "node_modules/pino")} ${join(moved, "node_modules/say")}`,
    );
  });

  it("is not used after a source has changed, and is then made of the change", async () => {
    await make();
    write("api/word.ts", 'export const word: string = "second";');
    expect(run()).toBe("no bundle");
    await make();
    expect(run()).toMatch(/^second /);
  });

  it.each([
    ["a file that a package brought in", "node_modules/say/index.js"],
    ["the locked packages", "package-lock.json"],
    ["a document", "docs/start.md"],
    ["a migration", "api/platform/database/migrations/0001_next.sql"],
  ])("is not used after a change of %s", async (_what, path) => {
    await make();
    write(path, "module.exports = () => console.log('changed package');");
    expect(run()).toBe("no bundle");
  });

  it("is still used after npm run build has written into kit/", async () => {
    await make();
    const written = readFileSync(".gitignore", "utf8").matchAll(/^\/(kit\/.+)$/gm);
    const paths = [...written].map(([, path = ""]) => (path.endsWith("/") ? `${path}a.sol` : path));
    expect(paths).toContain("kit/LICENSE");
    for (const path of [...paths, "kit/dist/index.js"]) write(path, "made");
    expect(run()).toMatch(/^first /);
  });

  it("has the cluster that was written with it", async () => {
    await makeBundle(
      async (folder) => {
        mkdirSync(join(folder, CLUSTER));
        writeFileSync(join(folder, CLUSTER, "PG_VERSION"), "18");
        return compile(folder);
      },
      cache,
      root,
    );
    const bundle = findBundle(cache, root);
    expect(readdirSync(bundle?.cluster() ?? "")).toEqual(["PG_VERSION"]);

    write("api/platform/database/migrations/0001_next.sql", "select 1;");
    expect(findBundle(cache, root)).toBeUndefined();
    await make();
    expect(findBundle(cache, root)?.cluster()).toBeUndefined();
  });

  it("is kept when sources did not change", async () => {
    await make();
    const folders = readdirSync(cache);
    await make();
    expect(readdirSync(cache)).toEqual(folders);
  });

  it("is not found, and is removed by the next one, when its builder was killed", async () => {
    const module = new URL("../../scripts/local-stack/bundle/bundle.ts", import.meta.url).href;
    const builder = spawn(
      process.execPath,
      [
        ...["--import", "tsx", "--input-type=module", "-e"],
        `const { makeBundle } = await import(${JSON.stringify(module)});
        await makeBundle(async () => {
          console.log("writing");
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        }, ${JSON.stringify(cache)}, ${JSON.stringify(root)});`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(builder.stdout, "data");
    builder.kill("SIGKILL");
    await once(builder, "exit");
    const [left = ""] = readdirSync(cache);
    expect(run()).toBe("no bundle");
    await make();
    expect(existsSync(join(cache, left))).toBe(false);
    expect(run()).toMatch(/^first /);
  });

  it("leaves nothing behind when it cannot be made", async () => {
    write("api/word.ts", "export const word = ;");
    await expect(make()).rejects.toThrow('Unexpected ";"');
    expect(readdirSync(cache)).toEqual([]);
  });

  it("is refused when a source that goes in is not watched", async () => {
    write("elsewhere/word.ts", 'export const word: string = "first";');
    write(PROGRAM, 'import { word } from "../elsewhere/word.ts"; console.log(word);');
    await expect(make()).rejects.toThrow(
      "elsewhere/word.ts goes into the bundle, but not into its key. Add it to SOURCES.",
    );
  });

  it("is refused when a source changes meanwhile", async () => {
    const making = makeBundle(
      async (folder) => {
        const inputs = await compile(folder);
        write("api/word.ts", 'export const word: string = "second";');
        return inputs;
      },
      cache,
      root,
    );
    await expect(making).rejects.toThrow("The sources changed while the bundle was made.");
    expect(run()).toBe("no bundle");
  });

  it("stays for the stack that runs it", async () => {
    await make();
    const bundle = findBundle(cache, root);
    write("api/word.ts", 'export const word: string = "second";');
    await make();
    expect(existsSync(bundle?.programOf(PROGRAM) ?? "")).toBe(true);
    expect(readdirSync(cache)).toHaveLength(2);
  });
});

describe("the indexer's code in the bundle", () => {
  const PONDER = "node_modules/ponder/dist/esm";
  const FAKE_BUILD = `
    import { createServer } from "vite";
    import { ViteNodeRunner } from "vite-node/client";
    import { ViteNodeServer } from "vite-node/server";
    import { installSourcemapsSupport } from "vite-node/source-map";
    import viteTsconfigPathsPlugin from "vite-tsconfig-paths";
    const server = await createServer({ root: "/moved", plugins: [viteTsconfigPathsPlugin()] });
    await server.pluginContainer.buildStart({});
    installSourcemapsSupport({ getSourceMap: () => new ViteNodeServer(server) });
    const runner = new ViteNodeRunner({ root: server.config.root });
    export const { executeFile, executeId } = runner;
    export const close = () => server.close();`;

  it("is run by Ponder as vite-node would run it, with the modules that Ponder makes", async () => {
    symlinkSync(resolve("node_modules/viem"), join(root, "node_modules/viem"));
    write(`${PONDER}/build/plugin.js`, readFileSync(`${PONDER}/build/plugin.js`, "utf8"));
    write("node_modules/ponder/package.json", '{ "type": "module" }');
    write(`${PONDER}/build/index.js`, FAKE_BUILD);
    write("indexer/ponder.config.ts", "export default { chain: 1 as number };");
    write("indexer/ponder.schema.ts", 'export const soul = "a table";');
    write(
      "indexer/src/Souls.ts",
      `import { ponder } from "ponder:registry"; import schema, { soul } from "ponder:schema";
       ponder.on("minted", () => [soul, schema.soul]);`,
    );
    write(
      PROGRAM,
      `import { close, executeFile, executeId } from "../${PONDER}/build/index.js";
       const file = (name: string) => "/moved/" + name;
       const { default: config } = await executeFile(file("ponder.config.ts"));
       await executeFile(file("src/Souls.ts"));
       const [{ name, fn }] = (await executeId("ponder:registry")).ponder.fns;
       const missing = await executeFile(file("src/None.ts")).catch((error: Error) => error.message);
       await close();
       console.log(JSON.stringify([config, name, fn(), missing]));`,
    );
    await makeBundle(
      async (folder) =>
        compileWhole({
          root,
          entries: [PROGRAM],
          out: join(folder, "service"),
          plugins: [await indexerCode(root)],
        }),
      cache,
      root,
    );
    const missing = "src/None.ts is not in the bundle.";
    expect(JSON.parse(run())).toEqual([{ chain: 1 }, "minted", ["a table", "a table"], missing]);
  });

  it("replaces all that the installed Ponder takes from vite to run code", () => {
    const taken = globSync(`${PONDER}/**/*.js`).flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^import (.+) from "(vite[^"]*)";$/gm)].map(
        ([, names, from]) => `${names} from ${from}`,
      ),
    );
    expect(taken).toEqual([
      "{ createServer } from vite",
      "{ ViteNodeRunner } from vite-node/client",
      "{ ViteNodeServer } from vite-node/server",
      "{ installSourcemapsSupport } from vite-node/source-map",
      // As it is.
      "{ normalizeModuleId, toFilePath } from vite-node/utils",
      "viteTsconfigPathsPlugin from vite-tsconfig-paths",
    ]);
  });
});

describe("scripts/start.mjs", () => {
  const COMMAND = "scripts/local-stack/start-command.ts";
  const start = () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], {
      cwd: root,
      encoding: "utf8",
    });
    return { stdout, stderr };
  };

  it("runs npm start from the bundle, and from its sources after one has changed", async () => {
    for (const path of [
      "scripts/start.mjs",
      "scripts/start.ts",
      "scripts/lib/json-file.ts",
      "scripts/local-stack/bundle/bundle.ts",
    ]) {
      write(path, readFileSync(path, "utf8"));
    }
    symlinkSync(resolve("node_modules/tsx"), join(root, "node_modules/tsx"));
    const command = (word: string) =>
      `export const startCommand = async (bundle?: { cluster: unknown }) =>
        console.log("${word}", typeof bundle?.cluster, Error().stack?.includes("/tools/"));`;
    write(COMMAND, command("first"));
    await makeBundle(
      (folder) => compileWhole({ root, entries: [COMMAND], out: join(folder, "tools") }),
      join(root, ".local/cache/bundles"),
      root,
    );
    expect(start()).toEqual({ stdout: "first function true\n", stderr: "Starting …\n" });

    write(COMMAND, command("second"));
    expect(start()).toEqual({ stdout: "second undefined false\n", stderr: "Starting …\n" });
  });
});
