import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildGuides, renderGuides } from "../../api/features/guides/build.ts";
import { openSearch } from "../../api/features/guides/search.ts";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import { buildService } from "../../scripts/service/build.ts";

const run = promisify(execFile);
const SOURCES_OF_THE_INDEXER =
  /^(indexer\/|protocol\/|ponder\.config\.ts$|api\/platform\/chain\/transport\.ts$)/;
/** Below the repository, so that the packages are found. */
let out: string;

beforeAll(async () => {
  mkdirSync(".local", { recursive: true });
  out = mkdtempSync(join(process.cwd(), ".local/service-"));
  await buildService(out);
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

it("holds no source that a start would compile, but those that Ponder loads itself", () => {
  const sources = globSync("**/*.{ts,tsx,css}", { cwd: out });
  expect(sources.filter((file) => !SOURCES_OF_THE_INDEXER.test(file))).toEqual([]);
});

// npm run rehearse -- --service <folder> starts the others.
it.each(["secrets", "jobs"])("starts scripts/%s.js by itself", async (name) => {
  const { stdout } = await run(process.execPath, [join(out, `scripts/${name}.js`), "--help"]);
  expect(stdout).toBe(readFileSync(`scripts/help/${name}.txt`, "utf8"));
});

it("reads the index that the clone writes to", async () => {
  const module = join(out, "scripts/lib/indexer-command.js");
  const program = `import { indexerSchemaName } from ${JSON.stringify(module)};
    console.log(indexerSchemaName());`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout.trim()).toBe(indexerSchemaName());
});

it("has the same pages, documents and search as a clone", () => {
  const { guides, docsSearch } = buildGuides();
  const stored = JSON.parse(JSON.stringify(renderGuides())) as ReturnType<typeof renderGuides>;
  expect(stored.guides).toEqual(guides.all);
  const words = "rotating a stolen key";
  expect(docsSearch.find(words).length).toBeGreaterThan(0);
  expect(openSearch(stored.index).find(words)).toEqual(docsSearch.find(words));
});

it("lists the packages of its installation with their hashes, and none for development", () => {
  const bill = JSON.parse(readFileSync(join(out, "sbom.cdx.json"), "utf8")) as {
    readonly components: readonly { name: string; scope: string; hashes: { content: string }[] }[];
  };
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["hono", "pg", "viem", "ws"]));
  for (const name of ["vitest", "hardhat"]) {
    expect(names).not.toContain(name);
  }
  const required = bill.components.filter(({ scope }) => scope === "required");
  for (const { name, hashes } of required) {
    expect([name, hashes[0]?.content]).toEqual([name, expect.stringMatching(/^[0-9a-f]{128}$/)]);
  }
});

it("refuses a folder that holds something else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-service-"));
  try {
    writeFileSync(join(folder, "mine.txt"), "");
    await expect(buildService(folder)).rejects.toThrow(
      `${folder} is not empty. Remove it, or give another folder.`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
