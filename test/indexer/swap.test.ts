import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChainReads, createChainReads } from "../../api/soul/indexed.store.ts";
import { byName } from "../../api/soul/soul-ref.ts";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, spawnIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { startRpcGate } from "../fixtures/rpc-gate.ts";

// A new index is built beside the old one. Another build has another schema; here the deployment
// file has one more byte, which makes another build of the same contracts.

/** The old index is one of a release whose Ponder made the views by itself, at each start. */
const EARLIER_RELEASE = { DATABASE_VIEWS_SCHEMA: "chain" };
const SOON = { timeout: 60_000, interval: 50 };

const directory = mkdtempSync(join(tmpdir(), "swap-"));
const next = join(directory, "deployment.json");

let chain: IndexedChain;
let database: TestDatabase;
let pool: pg.Pool;
let reads: ChainReads;
let old: RunningIndexer | undefined;
let fresh: RunningIndexer | undefined;

beforeAll(async () => {
  chain = await startIndexedChain();
  writeFileSync(next, `${readFileSync(chain.deploymentPath, "utf8")}\n`);
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  reads = createChainReads(pool);
  old = await startOld();
});
afterAll(async () => {
  await fresh?.stop();
  await old?.stop();
  await pool?.end();
  await database?.drop();
  await chain?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const startOld = () =>
  startIndexer({ ...chain, databaseUrl: database.url, environment: EARLIER_RELEASE });

/** The schemas that the views read. */
async function served(): Promise<string[]> {
  const { rows } = await pool.query<{ schema: string }>(
    `select distinct substring(definition from 'FROM (indexer_[0-9a-f]+)\\.') as schema
     from pg_views where schemaname = 'chain'`,
  );
  return rows.map(({ schema }) => schema);
}

/** Resolves once the views show an agent: an index shows blocks that are not final with the next. */
const shown = (name: string) =>
  vi.waitFor(async () => {
    await chain.client.mine({ blocks: 1 });
    expect((await reads.agent(byName(name))).value?.soul.name).toBe(name);
  }, SOON);

async function registered(name: string): Promise<void> {
  await chain.register(alice, name);
  await shown(name);
}

describe("a new index beside the old one", () => {
  const [oldSchema, newSchema] = [
    () => indexerSchemaName(chain.deploymentPath),
    () => indexerSchemaName(next),
  ];

  it("leaves reads on the old index until it has read the chain", async () => {
    await registered("before-swap");
    expect(await served()).toEqual([oldSchema()]);
    const gate = await startRpcGate(chain.rpcUrl);
    const held = gate.shutAt({ method: "eth_getBlockByNumber", at: "request" });
    const place = { databaseUrl: database.url, rpcUrl: gate.url, deploymentPath: next };
    const building = await spawnIndexer(place);
    await held;
    await registered("during-swap");
    expect(await served()).toEqual([oldSchema()]);
    // Stopped half-way, it leaves the old index as it is.
    await building.kill();
    await gate.stop();
    expect(await served()).toEqual([oldSchema()]);
    await registered("after-failure");
  });

  it("takes over the reads once it is ready", async () => {
    fresh = await startIndexer({ ...chain, databaseUrl: database.url, deploymentPath: next });
    expect(newSchema()).not.toBe(oldSchema());
    expect(await served()).toEqual([newSchema()]);
    for (const name of ["before-swap", "during-swap", "after-failure"]) await shown(name);
    await old?.stop();
    old = undefined;
    await registered("after-swap");
  });

  it("is rolled back by starting the old one again, which resumes its schema", async () => {
    await fresh?.stop();
    fresh = undefined;
    old = await startOld();
    expect(await served()).toEqual([oldSchema()]);
    await registered("after-roll-back");
    await shown("after-swap");
  });
});
