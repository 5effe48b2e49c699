import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Report } from "../../scripts/restore/report.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, soulWithDocuments, type TestAgent } from "../fixtures/agents.ts";
import { runBuilt, runJob } from "../fixtures/built-command.ts";
import {
  startBundler,
  startGateway,
  type TestBundler,
  type TestGateway,
} from "../fixtures/bundler.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { type RunningIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createEmptyDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { freshName } from "../fixtures/registrations.ts";
import { startService } from "../fixtures/service.ts";

// A small life of several agents, whose items a bundler has. Its database is then replaced by an
// empty one, which chain and bundler alone must fill again.

const SOON = { timeout: 60_000, interval: 100 };
const MONTH_SECONDS = 30 * 86_400;
const directory = mkdtempSync(join(tmpdir(), "restore-"));
const recorded = join(directory, "hashes.json");
const itemList = join(directory, "items.txt");

let bundler: TestBundler;
let gateway: TestGateway;
let service: Awaited<ReturnType<typeof startService>>;
let storage: Record<string, string>;
const closing: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];

beforeAll(async () => {
  bundler = await startBundler();
  gateway = await startGateway(bundler.kept);
  closing.push(bundler.stop, gateway.stop);
  storage = {
    STORAGE_DRIVER: "bundler",
    BUNDLER_URL: bundler.url,
    BUNDLER_KIND: "turbo",
    GATEWAY_URLS: gateway.url,
  };
  service = await startService({ environment: storage });
  closing.push(service.stop);
  await live();
  expect(await command(databaseUrl(), ["--record", recorded])).toMatchObject({ status: 0 });
  const { rows } = await service.pool.query<{ id: string }>("select id from app.storage_item");
  writeFileSync(itemList, rows.map(({ id }) => `${id}\n`).join(""));
}, 600_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const databaseUrl = () => service.place.databaseUrl;

const command = (url: string, args: readonly string[], change: Record<string, string> = {}) =>
  runBuilt("restore-verify", args, {
    ...service.place.environment,
    DATABASE_URL: url,
    ...change,
  });

const hashOf = (content: string) => `0x${createHash("sha256").update(content).digest("hex")}`;

const manifesto = (content: string) => ({
  id: "manifesto",
  type: "manifesto",
  title: "What herons are owed",
  format: "markdown",
  contentHash: hashOf(content),
  immutable: true,
});

async function chronicle(agent: TestAgent, category: string, data: object): Promise<void> {
  const body = { tokenId: agent.tokenId, category, data };
  expect((await service.post("/v1/chronicle", body, bearer(agent.apiKey))).status).toBe(201);
}

async function send(url: string, content: string): Promise<void> {
  const { status } = await service.request(url.replace(service.url, ""), {
    method: "POST",
    headers: { "content-type": "text/markdown" },
    body: content,
  });
  expect(status).toBe(200);
}

/** An agent whose declared document was uploaded, and then changed. */
async function agentWithDocuments(): Promise<TestAgent> {
  const owner = newAccount();
  const name = freshName();
  const soul = {
    ...soulWithDocuments([manifesto("Reeds.")], name),
    soulDocuments: [manifesto("Reeds.")],
  };
  const { body } = (await service.register(name, owner, soul)).answer;
  const { tokenId, erc8004AgentId: passportId, apiKey } = body;
  const agent = { owner, name, tokenId, passportId, apiKey };
  await send(body.documentUploadUrls[0].uploadUrl, "Reeds.");
  const { id: documentId, type: documentType, title, format } = manifesto("");
  const contentHash = hashOf("Reeds and water.");
  await chronicle(agent, "document", { documentId, documentType, title, format, contentHash });
  const asked = await service.post(
    `/v1/soul-documents/${tokenId}/upload-url`,
    { tokenId, documentId, contentHash },
    bearer(apiKey),
  );
  await send(asked.body.uploadUrl, "Reeds and water.");
  return agent;
}

async function changeDid(agent: TestAgent): Promise<void> {
  const key = "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z";
  const body = {
    tokenId: agent.tokenId,
    addAddress: { chain: "solana", address: key, label: "Tips", keyType: "Ed25519" },
  };
  const { body: typedData } = await service.post("/v1/typed-data/did", body);
  const signature = await agent.owner.signTypedData(typedData);
  const { status } = await service.request(`/v1/did/${agent.name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...body,
      message: typedData.message,
      signature,
      signer: agent.owner.address,
    }),
  });
  expect(status).toBe(200);
}

async function reseal(agent: TestAgent): Promise<void> {
  const handovers = handoverVerbs(service);
  const buyer = newAccount();
  await handovers.sell(agent, agent.owner, buyer.address);
  const wish = handovers.newSoul(agent, buyer);
  const signed = await handovers.signedBy(buyer, "reseal", wish);
  expect((await handovers.reseal(agent.tokenId, signed)).status).toBe(200);
}

async function snapshot(agent: TestAgent): Promise<void> {
  await service.chain.client.increaseTime({ seconds: MONTH_SECONDS });
  await service.chain.client.mine({ blocks: 1 });
  const body = { tokenId: agent.tokenId };
  expect((await service.post("/v1/snapshot", body, bearer(agent.apiKey))).status).toBe(202);
  await runJob(databaseUrl(), "alignment.snapshots");
  await vi.waitFor(async () => {
    const { rows } = await service.pool.query("select state from app.alignment_snapshot");
    expect(rows.map(({ state }) => state)).toEqual(["recorded"]);
  }, SOON);
  // The index shows a block with the next one.
  await vi.waitFor(async () => {
    await service.chain.client.mine({ blocks: 1 });
    const { rowCount } = await service.pool.query("select from chain.alignment");
    expect(rowCount).toBe(1);
  }, SOON);
}

async function live(): Promise<void> {
  const [plain, sold] = [await newAgent(service), await newAgent(service)];
  await agentWithDocuments();
  for (const task of ["first", "second", "third"])
    await chronicle(plain, "experience", { subtype: "task_completed", title: task });
  await chronicle(sold, "achievement", { title: "A prize" });
  await runJob(databaseUrl(), "batch");
  await changeDid(plain);
  await reseal(sold);
  await chronicle(plain, "certification", { title: "A certificate" });
  await runJob(databaseUrl(), "batch");
  const { rows } = await service.pool.query("select stage from app.chronicle_batch");
  expect(rows).toEqual([{ stage: "confirmed" }, { stage: "confirmed" }]);
  await snapshot(plain);
}

/** An empty database, and the index that fills its part of it. */
async function emptyPlace(): Promise<{ database: TestDatabase; indexer: RunningIndexer }> {
  const database = await createEmptyDatabase();
  closing.push(database.drop);
  const { rpcUrl, deploymentPath } = service.place;
  const indexer = await startIndexer({ databaseUrl: database.url, rpcUrl, deploymentPath });
  closing.push(indexer.stop);
  return { database, indexer };
}

describe("npm run restore:verify", () => {
  let place: Awaited<ReturnType<typeof emptyPlace>>;
  const verify = (...args: readonly string[]) =>
    command(place.database.url, ["--wait", "60", "--json", ...args]);

  async function query(text: string, values: readonly unknown[] = []) {
    const client = new pg.Client({ connectionString: place.database.url });
    await client.connect();
    try {
      return await client.query(text, [...values]);
    } finally {
      await client.end();
    }
  }

  it("refuses to begin before the index has read the chain", async () => {
    const database = await createEmptyDatabase();
    const { status, complained } = await command(database.url, []);
    await database.drop();
    expect(status).toBe(1);
    expect(complained).toMatch(
      /^The index has not read the chain, and the chain is at block \d+\. Run npm run indexer, and give it time with --wait\.\n$/,
    );
  });

  it("rebuilds from an empty database all that is promised, equal by hash", async () => {
    place = await emptyPlace();
    const { status, text, complained } = await verify("--items", itemList, "--compare", recorded);
    expect(complained).toBe("");
    const report = JSON.parse(text) as Report;
    const rebuilt = report.tables.filter(({ rebuiltFrom }) => rebuiltFrom !== null);
    expect(report.problems).toEqual([]);
    expect(rebuilt.filter(({ hash }) => hash !== "equal")).toEqual([]);
    expect(status).toBe(0);
    const rows = new Map(rebuilt.map(({ table, present }) => [table, present]));
    expect(Object.fromEntries(rows)).toMatchObject({
      "app.alignment_snapshot": 1,
      "app.chronicle_batch": 2,
      "app.chronicle_counter": 3,
      "app.document_version": 2,
      "app.registration": 3,
      "chain.soul": 3,
      "chain.batch": 2,
      "chain.did_archive": 1,
    });
    expect(rows.get("app.chronicle")).toBeGreaterThanOrEqual(6);
    expect(rows.get("app.storage_item")).toBe(bundler.kept.size);
    const lost = report.tables.filter(({ rebuiltFrom }) => rebuiltFrom === null);
    expect(lost.find(({ table }) => table === "app.api_key")).toEqual({
      table: "app.api_key",
      rebuiltFrom: null,
      expected: expect.any(Number),
      present: 0,
      added: 0,
      hash: null,
      lostWith: "All API keys: none is valid any more, and owners issue new ones.",
    });
  });

  it("adds nothing to what is there, and changes nothing", async () => {
    const { status, text } = await verify("--items", itemList, "--compare", recorded);
    expect(status).toBe(0);
    const { tables } = JSON.parse(text) as Report;
    expect(tables.filter(({ added }) => added > 0)).toEqual([]);
  });

  it("reports an altered row, and leaves it as it is", async () => {
    await query("update app.registration set owner = 'stranger'");
    const { status, text } = await verify();
    const { rows } = await query("select distinct owner from app.registration");
    await query("delete from app.registration");
    expect(status).toBe(1);
    expect((JSON.parse(text) as Report).tables.filter(({ hash }) => hash === "different")).toEqual([
      expect.objectContaining({ table: "app.registration", expected: 3, present: 3, added: 0 }),
    ]);
    expect(rows).toEqual([{ owner: "stranger" }]);
  });

  it("names what permanent storage does not have any more", async () => {
    const { rows } = await service.pool.query<{ id: string }>(
      "select archive_id as id from app.chronicle order by token_id, chronicle_id limit 1",
    );
    const id = rows[0]?.id ?? "";
    await query("delete from app.storage_item where id = $1", [id]);
    gateway.answer((path) => (path.includes(id) ? { status: 404 } : undefined));
    const { status, text } = await command(place.database.url, []);
    gateway.answer(() => undefined);
    expect(status).toBe(1);
    expect(text).toMatch(
      new RegExp(`The record of chronicle 1 of soul \\d+, ${id}, is not on permanent storage\\.`),
    );
    expect(text).toContain("Something that can be rebuilt is missing or different.");
    expect((await verify()).status).toBe(0);
  });

  it("refuses arguments that it does not know", async () => {
    expect(await command(databaseUrl(), ["--wait", "long"])).toEqual({
      status: 2,
      text: "",
      complained: "--wait takes a number of seconds. See --help.\n",
    });
    const { status, complained } = await command(databaseUrl(), ["--force"]);
    expect([status, complained]).toEqual([2, expect.stringMatching(/^Unknown option '--force'/)]);
  });
});
