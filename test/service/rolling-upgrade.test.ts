import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { claimPorts } from "../../scripts/local-stack/ports.ts";
import { sharedBuild } from "../../scripts/service/shared-build.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { apiClient } from "../fixtures/registrations.ts";
import { startService } from "../fixtures/service.ts";

// Two releases on one database: the build of this tree, and a copy of it with one migration more.
// Both run as processes of their own, as behind a balancer.

const MIGRATIONS = "api/platform/database/migrations";
const NEXT_COLUMN = "alter table app.chronicle_batch add column note text;\n";
const SOON = { timeout: 60_000, interval: 100 };

const next = mkdtempSync(join(tmpdir(), "next-release-"));
let release: string;
let service: Awaited<ReturnType<typeof startService>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  release = await sharedBuild();
  service = await startService();
  makeNextRelease();
}, 300_000);
afterAll(async () => {
  for (const child of running) await ended(child);
  await service?.stop();
  rmSync(next, { recursive: true, force: true });
});

function makeNextRelease(): void {
  cpSync(release, next, { recursive: true, verbatimSymlinks: true });
  const path = join(next, MIGRATIONS, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as {
    entries: { idx: number; tag: string; when: number; breakpoints: boolean }[];
  };
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error("There is no migration.");
  journal.entries.push({ ...last, idx: last.idx + 1, tag: "9000_note", when: last.when + 1 });
  writeFileSync(path, JSON.stringify(journal));
  writeFileSync(join(next, MIGRATIONS, "9000_note.sql"), NEXT_COLUMN);
}

function start(tree: string, script: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [`scripts/${script}.js`], {
    cwd: tree,
    env: { PATH: process.env.PATH, ...service.place.environment, ...environment },
  });
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  running.push(child);
  return { child, output: () => Buffer.concat(printed).toString() };
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  return child.exitCode;
}

/** An API process of a release, once it is ready. */
async function api(tree: string) {
  const { api: port } = await claimPorts({ chain: 0, postgres: 0, indexer: 0, api: 0 });
  const { child, output } = start(tree, "api", { SVC_API_PORT: String(port) });
  const client = apiClient(`http://127.0.0.1:${port}`);
  await vi.waitFor(async () => {
    if (child.exitCode !== null) throw new Error(output());
    expect((await client.get("/ready")).status).toBe(200);
  }, SOON);
  return { ...client, child };
}

type Api = Awaited<ReturnType<typeof api>>;

/** A chronicle through one process; its number. */
async function recorded(through: Pick<Api, "post">, agent: TestAgent, title: string) {
  const body = { tokenId: agent.tokenId, category: "experience", data: { title } };
  const answer = await through.post("/v1/chronicle", body, bearer(agent.apiKey));
  expect(answer.status).toBe(201);
  return answer.body.chronicleId as number;
}

async function titles(through: Pick<Api, "get">, { name }: TestAgent): Promise<string[]> {
  const { body } = await through.get(`/v1/chronicle/${name}?includeDetails=true`);
  const list = body.chronicles as { readonly detail: { readonly data: { title: string } } }[];
  return list.map(({ detail }) => detail.data.title).reverse();
}

describe("an upgrade without a pause", () => {
  let agent: TestAgent;
  let newer: Api;

  it("migrates while the previous release runs", async () => {
    agent = await newAgent(service);
    const { child, output } = start(next, "migrate", {});
    await once(child, "exit");
    expect(output()).toBe("Applied 1 migration. The database is up to date.\n");
    expect((await service.get("/ready")).status).toBe(200);
    await recorded(service, agent, "by the old one");
  });

  it("serves right answers through both releases", async () => {
    newer = await api(next);
    await recorded(newer, agent, "by the new one");
    await recorded(service, agent, "by the old one again");
    const all = ["by the old one", "by the new one", "by the old one again"];
    expect(await titles(newer, agent)).toEqual(all);
    expect(await titles(service, agent)).toEqual(all);
  });

  it("carries out once a request that is repeated through the old release", async () => {
    const body = { tokenId: agent.tokenId, category: "experience", data: { title: "once" } };
    const headers = { ...bearer(agent.apiKey), "Idempotency-Key": crypto.randomUUID() };
    const first = await newer.post("/v1/chronicle", body, headers);
    const second = await service.post("/v1/chronicle", body, headers);
    expect(second.body).toEqual(first.body);
    expect((await titles(service, agent)).filter((title) => title === "once")).toHaveLength(1);
  });

  it("reads through each release what was registered through both", async () => {
    const byNew = await newAgent({ ...service, ...newer, chain: service.chain } as typeof service);
    expect((await service.get(`/v1/profile/${byNew.name}`)).status).toBe(200);
    const byOld = await newAgent(service);
    expect((await newer.get(`/v1/profile/${byOld.name}`)).status).toBe(200);
  });

  it("rolls back: a process of the previous release starts on the migrated database", async () => {
    expect(await ended(newer.child)).toBe(0);
    const { child, output } = start(release, "migrate", {});
    await once(child, "exit");
    expect(output()).toBe("The database is up to date.\n");
    const older = await api(release);
    await recorded(older, agent, "after the roll back");
    expect((await titles(service, agent)).at(-1)).toBe("after the roll back");
    expect(await ended(older.child)).toBe(0);
  });
});
