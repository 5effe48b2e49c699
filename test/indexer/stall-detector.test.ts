import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ChainReads, createChainReads } from "../../api/soul/indexed.store.ts";
import { createWatchdog, IndexStalledError } from "../../indexer/stall-detector.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { type RpcGate, startRpcGate } from "../fixtures/rpc-gate.ts";
import { type SocketGate, startSocketGate } from "../fixtures/socket-gate.ts";

const LIMIT_MS = 30_000;
/** Ponder's exit status when its supervisor should start it again. */
const RESTARTABLE = 75;
/** Two starts of an indexer, and three waits of half a minute at most. */
const PATIENCE_MS = 180_000;

describe("the index watchdog", () => {
  let time: number;
  let watchdog: ReturnType<typeof createWatchdog>;
  beforeEach(() => {
    time = 1_000;
    watchdog = createWatchdog({ limitMs: LIMIT_MS, now: () => time });
  });

  /** Lets `seconds` pass and gives the watchdog a sample. */
  const after = (seconds: number, head: bigint, indexed: bigint, isReady = true) => {
    time += seconds * 1_000;
    watchdog.observe({ head, indexed, isReady });
  };

  /** Lets `seconds` pass, after which the node does not answer. */
  const missing = (seconds: number) => {
    time += seconds * 1_000;
    watchdog.observe(undefined);
  };

  it("throws when the index stands still behind a moving head for the limit", () => {
    after(0, 100n, 100n);
    after(5, 101n, 100n);
    after(24, 130n, 100n);
    let thrown: unknown;
    try {
      after(1, 131n, 100n);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(IndexStalledError);
    expect(thrown).toMatchObject({ indexed: 100n, head: 131n, stalledMs: 30_000 });
    expect((thrown as Error).message).toContain(
      "The index has stood at block 100 for 30 s while the chain went on to block 131",
    );
  });

  it("throws when the last block of a chain that has become quiet is missing", () => {
    after(0, 100n, 100n);
    after(1, 101n, 100n);
    expect(() => after(30, 101n, 100n)).toThrow(IndexStalledError);
  });

  it("accepts an index that is behind and moves", () => {
    for (let i = 0n; i < 20n; i += 1n) after(29, 1_000n + i * 29n, 100n + i);
  });

  it("accepts an index whose blocks a reorg removes", () => {
    after(0, 100n, 100n);
    after(29, 110n, 100n);
    after(29, 111n, 98n);
    after(29, 112n, 98n);
  });

  it("accepts a quiet chain whose last blocks follow with the next one, as after a restart", () => {
    after(0, 100n, 70n);
    after(3_600, 100n, 70n);
    after(1, 101n, 70n);
    after(28, 101n, 70n);
    expect(() => after(2, 101n, 70n)).toThrow(IndexStalledError);
  });

  it("accepts a chain without new blocks", () => {
    after(0, 100n, 100n);
    after(1, 101n, 101n);
    after(3_600, 101n, 101n);
  });

  it("does not judge during the backfill", () => {
    after(0, 100n, 0n, false);
    after(3_600, 1_900n, 0n, false);
    after(3_600, 3_700n, 10n, false);
    after(1, 3_700n, 3_670n);
    after(29, 3_710n, 3_670n);
  });

  it("does not count the time of an outage, and keeps the time counted before", () => {
    after(0, 100n, 100n);
    after(10, 101n, 100n);
    for (let missed = 0; missed < 12; missed += 1) missing(5);
    after(5, 150n, 100n);
    after(14, 170n, 100n);
    expect(() => after(1, 171n, 100n)).toThrow(
      expect.objectContaining({ indexed: 100n, head: 171n, stalledMs: 30_000 }),
    );
  });

  it("throws although every other sample is missing", () => {
    after(0, 100n, 100n);
    for (let head = 101n; head < 106n; head += 1n) {
      after(5, head, 100n);
      missing(5);
    }
    expect(() => after(5, 106n, 100n)).toThrow(IndexStalledError);
  });
});

describe("an indexer whose provider drops its subscription", () => {
  let chain: IndexedChain;
  let database: TestDatabase;
  let pool: pg.Pool;
  let reads: ChainReads;
  let socket: SocketGate;
  let rpc: RpcGate;

  beforeAll(async () => {
    chain = await startIndexedChain();
    database = await createDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    reads = createChainReads(pool);
    socket = await startSocketGate(Number(new URL(chain.rpcUrl).port));
    rpc = await startRpcGate(chain.rpcUrl);
  });
  afterAll(async () => {
    await rpc?.stop();
    await socket?.stop();
    await pool?.end();
    await database?.drop();
    await chain?.stop();
  });

  it(
    "exits with status 75 and the reason, but not while the head cannot be read",
    async () => {
      const indexer = await startIndexer({
        databaseUrl: database.url,
        deploymentPath: chain.deploymentPath,
        rpcUrl: rpc.url,
        wsUrl: socket.url,
        environment: { INDEXER_STALL_MS: "3000" },
      });
      let hasExited = false;
      void indexer.exited.then(() => {
        hasExited = true;
      });
      const seen = await chain.registerPassport(alice, "https://alice.example/seen");
      expect(await reads.waitForBlock(seen.blockNumber, 30_000)).toBe(seen.blockNumber);

      socket.silence();
      const headReads = rpc.refuse("eth_blockNumber");
      const missed = await chain.registerPassport(alice, "https://alice.example/missed");
      // Twice the limit's worth of samples.
      await vi.waitFor(() => expect(headReads.count).toBeGreaterThan(12), 30_000);
      expect(hasExited).toBe(false);
      expect((await reads.passport(missed.agentId)).value).toBeNull();

      rpc.open();
      expect(await indexer.exited).toBe(RESTARTABLE);
      expect(indexer.output()).toMatch(
        new RegExp(
          `The index has stood at block ${seen.blockNumber} for \\d+ s while the chain went on to block ${missed.blockNumber}:`,
        ),
      );

      const next = await startIndexer({ databaseUrl: database.url, ...chain });
      const later = await chain.registerPassport(alice, "https://alice.example/later");
      expect(await reads.waitForBlock(later.blockNumber, 30_000)).toBe(later.blockNumber);
      expect((await reads.passport(missed.agentId)).value).toMatchObject({
        registeredBlock: missed.blockNumber,
      });
      await next.stop();
    },
    PATIENCE_MS,
  );

  it("refuses a limit that is not a number of milliseconds", async () => {
    const indexer = startIndexer({
      databaseUrl: database.url,
      ...chain,
      environment: { INDEXER_STALL_MS: "soon" },
    });
    await expect(indexer).rejects.toThrow(
      'INDEXER_STALL_MS is \\"soon\\". Set it to a number of milliseconds, 1 or more, or remove it for 30000.',
    );
  });
});
