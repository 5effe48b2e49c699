import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChainReads, createChainReads } from "../../api/soul/indexed.store.ts";
import { byName } from "../../api/soul/soul-ref.ts";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import { alice, bob, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type RunningIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";
import { unlock } from "./unlock.ts";

/** For a test that starts its own indexer on a loaded machine. */
const RESTART_MS = 120_000;

let chain: IndexedChain;
let database: TestDatabase;
let pool: pg.Pool;
let reads: ChainReads;
let indexer: RunningIndexer;

beforeAll(async () => {
  chain = await startIndexedChain();
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  reads = createChainReads(pool);
  indexer = await startIndexer({ databaseUrl: database.url, ...chain });
});

afterAll(async () => {
  await indexer?.stop();
  await pool?.end();
  await database?.drop();
  await chain?.stop();
});

const indexed = (block: bigint) => indexedUpTo(chain.client, pool, block);

/** Everything in the index, apart from its storage form. */
async function everything() {
  const tables = ["passport", "passport_owner", "passport_metadata", "certificate", "soul"];
  const rows = await Promise.all(
    tables.map((table) =>
      pool.query(`select to_jsonb(t) as row from chain.${table} t order by t::text`),
    ),
  );
  return rows.map((result) => result.rows);
}

describe("a reorg", () => {
  it("leaves no trace of the removed blocks", async () => {
    const kept = await chain.register(alice, "kept-agent");
    await indexed(kept.blockNumber);
    const before = await everything();

    const snapshot = await chain.client.snapshot();
    const undone = await chain.register(alice, "undone-agent");
    const moved = await chain.transferPassport(kept.passportId, alice, bob.address);
    await indexed(moved.blockNumber);
    expect((await reads.agent(byName("undone-agent"))).value?.soul.tokenId).toBe(undone.tokenId);
    expect((await reads.passport(kept.passportId)).value?.owner).toBe(bob.address);

    await chain.client.revert({ id: snapshot });
    // The longer chain is the one to follow.
    await chain.client.mine({ blocks: 4 });
    await indexed(moved.blockNumber + 2n);
    await vi.waitFor(
      async () => expect((await reads.agent(byName("undone-agent"))).value).toBeNull(),
      RESTART_MS,
    );
    expect(await everything()).toEqual(before);

    // The name and the ids are free again, and mean what the new chain says.
    const again = await chain.register(bob, "undone-agent");
    await indexed(again.blockNumber);
    expect((await reads.agent(byName("undone-agent"))).value?.soul).toMatchObject({
      tokenId: undone.tokenId,
      owner: bob.address,
      mintTx: again.transactionHash,
    });
  });
});

describe("a restart", () => {
  it(
    "resumes where it stopped, with the events since then",
    async () => {
      const before = await chain.registerPassport(alice, "https://alice.example/before");
      await indexed(before.blockNumber);
      await indexer.stop();
      const meanwhile = await chain.registerPassport(alice, "https://alice.example/meanwhile");

      indexer = await startIndexer({ databaseUrl: database.url, ...chain });
      expect(indexer.output()).toContain("Detected crash recovery");
      const after = await chain.registerPassport(alice, "https://alice.example/after");
      await indexed(after.blockNumber);
      for (const { agentId, blockNumber } of [before, meanwhile, after]) {
        expect((await reads.passport(agentId)).value).toMatchObject({
          registeredBlock: blockNumber,
        });
      }
    },
    RESTART_MS,
  );

  it(
    "never reports a block whose events it does not have",
    async () => {
      const latest = await chain.registerPassport(alice, "https://alice.example/latest");
      await indexed(latest.blockNumber);
      await indexer.stop();

      const restart = startIndexer({ databaseUrl: database.url, ...chain });
      const seen = await seenUntil(restart, reads, latest.agentId);
      indexer = await restart;
      await indexed(latest.blockNumber + 1n);
      seen.push(await look(reads, latest.agentId));

      expect(seen.filter(({ known }) => !known)).not.toEqual([]);
      expect(seen.filter(({ block, known }) => block >= latest.blockNumber && !known)).toEqual([]);
      expect(seen.at(-1)).toEqual({
        block: expect.toSatisfy((block) => block > latest.blockNumber),
        known: true,
      });
    },
    RESTART_MS,
  );

  it(
    "reports no such block either when it is killed before its first block is final",
    async () => {
      const latest = await chain.registerPassport(alice, "https://alice.example/first");
      const folder = await mkdtemp(join(tmpdir(), "recent-start-"));
      const recent = await createDatabase();
      // One connection: see `unlock`.
      const recentPool = new pg.Pool({ connectionString: recent.url, max: 1 });
      const recentReads = createChainReads(recentPool);
      const deploymentPath = join(folder, "deployment.json");
      const deployment = JSON.parse(await readFile(chain.deploymentPath, "utf8"));
      const startBlock = Number(latest.blockNumber);
      await writeFile(
        deploymentPath,
        JSON.stringify({ ...deployment, startBlock, identityRegistryStartBlock: startBlock }),
      );
      const place = { ...chain, databaseUrl: recent.url, deploymentPath };
      let killed: RunningIndexer | undefined;
      try {
        killed = await startIndexer(place);
        await indexedUpTo(chain.client, recentPool, latest.blockNumber);
        expect((await look(recentReads, latest.agentId)).known).toBe(true);
        await killed.kill();
        await unlock(recentPool, indexerSchemaName(deploymentPath));

        const restart = startIndexer(place);
        const seen = await seenUntil(restart, recentReads, latest.agentId);
        killed = await restart;
        expect(await recentReads.isReady()).toBe(true);
        seen.push(await look(recentReads, latest.agentId));
        await indexedUpTo(chain.client, recentPool, latest.blockNumber + 1n);
        seen.push(await look(recentReads, latest.agentId));

        expect(seen.filter(({ block, known }) => block >= latest.blockNumber && !known)).toEqual(
          [],
        );
        expect(seen.at(-1)?.known).toBe(true);
      } finally {
        await killed?.kill();
        await recentPool.end();
        await recent.drop();
        await rm(folder, { recursive: true });
      }
    },
    2 * RESTART_MS,
  );
});

/** The indexed block, and whether the index has a passport. */
async function look(reads: ChainReads, passportId: bigint) {
  const { at, value } = await reads.passport(passportId);
  return { block: at.block, known: value !== null };
}

/** What readers see while an indexer starts. */
async function seenUntil(start: Promise<unknown>, reads: ChainReads, passportId: bigint) {
  let starting = true;
  const end = () => {
    starting = false;
  };
  start.then(end, end);
  const seen: Awaited<ReturnType<typeof look>>[] = [];
  while (starting) {
    const now = await look(reads, passportId);
    const last = seen.at(-1);
    if (now.block !== last?.block || now.known !== last.known) seen.push(now);
  }
  return seen;
}
