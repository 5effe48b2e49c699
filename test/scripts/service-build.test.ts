import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { schemaSources } from "../../scripts/lib/indexer-command.ts";
import { buildService } from "../../scripts/service/build.ts";
import { sharedBuild } from "../../scripts/service/shared-build.ts";
import { buildGuides, renderGuides } from "../../web/guides/build.ts";
import { openSearch } from "../../web/guides/search.ts";

const run = promisify(execFile);
const BUILT = { exclude: ["node_modules", "**/*.d.ts"] };
/** An import of what was compiled beside, or is installed. */
const IMPORTED = /"((?:\.\.\/)+(?:chunks|node_modules)\/[^"\s]*)"/g;
const REHEARSAL_MS = 240_000;
/** Outside of the repository, so that no other package and no source is found. */
let out: string;

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "svc-service-"));
  cpSync(await sharedBuild(), out, { recursive: true, verbatimSymlinks: true });
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

it("holds no source but those that the index is named after", () => {
  const sources = globSync("**/*.{ts,tsx,css}", { cwd: out, ...BUILT });
  expect(sources.sort()).toEqual([...schemaSources()].sort());
  // By path and content: the build reads and writes the clone's index.
  for (const file of sources) {
    expect(readFileSync(join(out, file), "utf8")).toBe(readFileSync(file, "utf8"));
  }
});

it("names no folder of the machine that built it", () => {
  const named = globSync("**/*.{js,json}", { cwd: out, ...BUILT }).filter((file) =>
    readFileSync(join(out, file), "utf8").includes(resolve(".")),
  );
  expect(named).toEqual([]);
});

it("holds every file that its code imports", () => {
  const imported = globSync("**/*.js", { cwd: out, ...BUILT }).flatMap((file) =>
    [...readFileSync(join(out, file), "utf8").matchAll(IMPORTED)].map(([, name = ""]) =>
      join(dirname(file), name),
    ),
  );
  expect(imported).toContain("node_modules/piscina/dist/esm-wrapper.mjs");
  expect(imported.filter((name) => !existsSync(join(out, name)))).toEqual([]);
});

it("holds every program that deploy/ starts", () => {
  const named = globSync("deploy/**/*.{yaml,md}", { exclude: ["**/node_modules"] })
    .concat("deploy/Containerfile")
    .flatMap((file) => readFileSync(file, "utf8").match(/\bscripts\/[\w-]+\.js\b/g) ?? []);
  expect(named).toContain("scripts/indexer.js");
  expect(named.filter((name) => !existsSync(join(out, name)))).toEqual([]);
});

it(
  "completes npm run rehearse: deployment, every process, doctor and a first agent",
  async () => {
    const args = ["--import", "tsx", "scripts/rehearse.ts", "--service", out];
    const { stdout } = await run(process.execPath, args);
    for (const name of ["indexer", "api", "worker"])
      expect(stdout).toContain(`\n${name} is ready.\n`);
    expect(stdout).toMatch(/\n0 faults, \d+ warnings?\.\n/);
    expect(stdout).toMatch(/\nEvery step of docs\/base-sepolia\.md succeeded\.\n$/);
  },
  REHEARSAL_MS,
);

it.each(["secrets", "jobs", "restore-verify"])("starts scripts/%s.js by itself", async (name) => {
  const { stdout } = await run(process.execPath, [join(out, `scripts/${name}.js`), "--help"]);
  expect(stdout).toBe(readFileSync(`scripts/help/${name}.txt`, "utf8"));
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
  for (const name of ["vitest", "elliptic", "keccak", "@dha-team/arbundles"]) {
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
