import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { encodeFunctionData, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../api/kernel/errors.ts";
import { createNodesClient } from "../../api/platform/chain/clients.ts";
import { createChainNodes } from "../../api/platform/chain/nodes.ts";
import { createRelayer } from "../../api/platform/chain/relayer.ts";
import { relayerTransactionStore } from "../../api/platform/chain/transactions.store.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/platform/database/connect.ts";
import { createLease } from "../../api/platform/database/lease.ts";
import { createLog } from "../../api/platform/log/log.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { type Fault, type FaultyNode, startFaultyNode } from "../fixtures/faulty-node.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { type IndexerPlace, spawnIndexer, startIndexer } from "../fixtures/indexer.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// One provider in each of its faults, with the indexer and a job on it. `SOAK=1` keeps each fault
// for ten seconds, and measures how long both take after it; it prints a table.

const SOAK = process.env.SOAK === "1";
const CHAIN = 31_337;
const FAULT_MS = 10_000;
/** Refused requests after which a fault ends, in the short run. */
const REFUSED = 6;
const PATIENCE_MS = 180_000;
const WAIT_MS = 90_000;
const RANGE_REFUSAL = { code: -31_999, text: "an unknown text" };

/** Whether indexing and jobs go on during a fault, or once it has ended. */
type When = "during" | "after";

const FAULTS: readonly (readonly [name: string, when: When, fault: Fault])[] = [
  [
    "refuses more than 3 blocks of logs",
    "during",
    { kind: "limits range", blocks: 3, refusal: RANGE_REFUSAL },
  ],
  ["knows blocks before their logs", "during", { kind: "lacks recent logs", blocks: 2 }],
  ["sends each head twice", "during", { kind: "repeats heads" }],
  ["sends heads out of order", "during", { kind: "swaps heads" }],
  ["closes its sockets", "after", { kind: "closes sockets" }],
  ["answers 429", "after", { kind: "limits requests" }],
  ["answers 429 with Retry-After: 2", "after", { kind: "limits requests", retryAfter: "2" }],
  ["answers -32005, request rate", "after", { kind: "limits requests by code", code: -32_005 }],
  ["answers 503", "after", { kind: "fails", status: 503 }],
  ["answers garbage", "after", { kind: "answers garbage" }],
  ["sends half of an answer", "after", { kind: "stops halfway" }],
  ["is silent", "after", { kind: "is silent" }],
  ["cuts connections", "after", { kind: "cuts connections" }],
  ["serves an old head", "after", { kind: "stands still", behind: 3 }],
];

let chain: IndexedChain;
let node: FaultyNode;
let database: TestDatabase;
let connection: DatabaseConnection;
let indexer: Awaited<ReturnType<typeof supervised>>;
let pool: pg.Pool;
let jobs = 0;
/** What sends the jobs' transactions: funded before any fault. */
const account = privateKeyToAccount(generatePrivateKey());
const results: string[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  node = await startFaultyNode(chain.rpcUrl);
  connection = connectDatabase(database.url, createLog("silent"));
  pool = new pg.Pool({ connectionString: database.url });
  await chain.client.setBalance({ address: account.address, value: parseEther("1") });
  await mineEach(40);
  // It reads history under the fault that concerns ranges.
  await node.misbehave({ kind: "limits range", blocks: 3, refusal: RANGE_REFUSAL });
  indexer = await supervised({
    databaseUrl: database.url,
    deploymentPath: chain.deploymentPath,
    rpcUrl: node.url,
    wsUrl: node.wsUrl,
  });
});
afterEach(() => node.behave());
afterAll(async () => {
  await indexer?.stop();
  await pool?.end();
  await connection?.close();
  await database?.drop();
  await node?.stop();
  await chain?.stop();
  if (SOAK) console.log(results.join("\n"));
});

/** Hardhat makes up many blocks that are mined at once when they are read: their hashes form no chain. */
async function mineEach(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) await chain.client.mine({ blocks: 1 });
}

/** An indexer that is started again when it ends, as its supervisor does. */
async function supervised(place: IndexerPlace) {
  let isStopped = false;
  let starts = 0;
  let running = await spawnIndexer(place);
  const ended = (async () => {
    while (!isStopped) {
      starts += 1;
      await running.exited;
      if (!isStopped) running = await spawnIndexer(place);
    }
  })();
  await running.ready();
  return {
    starts: () => starts,
    output: () => running.output(),
    async stop() {
      isStopped = true;
      await running.kill();
      await ended;
    },
  };
}

/** A job that registers a passport, repeated while the node does not answer, as the queue repeats it. */
async function job(uri: string) {
  const nodes = createChainNodes({
    urls: [node.url],
    chainId: CHAIN,
    now: () => performance.now(),
  });
  const relayer = createRelayer({
    client: createNodesClient(
      SOAK ? { nodes, chainId: CHAIN } : { nodes, chainId: CHAIN, timeoutMs: 500 },
    ),
    account,
    store: relayerTransactionStore(connection.db),
    lease: createLease(connection.pool),
    log: createLog("silent"),
    clock: () => new Date(),
    confirmations: 1,
  });
  const data = encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "register",
    args: [uri],
  });
  try {
    for (;;) {
      try {
        return await relayer.run(uri, async () => ({ to: chain.identityRegistry, data }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.type !== "CHAIN_UNAVAILABLE") throw error;
        await delay(100);
      }
    }
  } finally {
    await relayer.close();
  }
}

/** Passports of the index with this URI. */
async function indexedWith(uri: string): Promise<number> {
  const { rows } = await pool.query("select from chain.passport where uri = $1", [uri]);
  return rows.length;
}

/** Waits for the passport, while blocks go on. */
async function indexedOnce(uri: string): Promise<void> {
  const passports = async () => {
    await chain.client.mine({ blocks: 1 });
    return indexedWith(uri);
  };
  await expect.poll(passports, { timeout: WAIT_MS, interval: 250 }).toBe(1);
}

async function refusedRequests(): Promise<void> {
  const before = node.calls.length;
  if (SOAK) await delay(FAULT_MS);
  else {
    await expect
      .poll(() => node.calls.length - before, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(REFUSED);
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

describe("with a provider that", () => {
  it.each(FAULTS)(
    "%s, indexing and jobs complete",
    async (name, when, fault) => {
      jobs += 1;
      const uri = `https://job.example/${jobs}`;
      await node.misbehave(fault);
      const startsBefore = indexer.starts();
      let from = performance.now();
      const done = job(uri).then((receipt) => ({ receipt, ms: performance.now() - from }));
      await chain.registerPassport(alice, `${uri}/direct`);
      if (when === "after") {
        if (fault.kind !== "closes sockets") await refusedRequests();
        node.behave();
        from = performance.now();
      }
      await indexedOnce(`${uri}/direct`);
      const indexMs = performance.now() - from;
      const { receipt, ms: jobMs } = await done;
      expect(receipt.status).toBe("success");
      await indexedOnce(uri);
      const restarts = indexer.starts() - startsBefore;
      results.push(`| ${name} | ${when} | ${seconds(indexMs)} | ${seconds(jobMs)} | ${restarts} |`);
    },
    PATIENCE_MS,
  );
});

describe("a reorganization as deep as the network's", () => {
  it(
    "leaves the index with the rows of the new blocks",
    async () => {
      // Ponder counts a block of Base as final after 30 further ones, two of which the test needs.
      const depth = 28;
      const snapshot = await chain.client.snapshot();
      const undone = await chain.registerPassport(alice, "https://alice.example/undone");
      await mineEach(depth - 1);
      const isIndexed = () => indexedWith("https://alice.example/undone");
      await expect.poll(isIndexed, { timeout: WAIT_MS }).toBe(1);
      const replaced = await chain.client.getBlockNumber({ cacheTime: 0 });

      await chain.client.revert({ id: snapshot });
      const begun = performance.now();
      const kept = await chain.registerPassport(alice, "https://alice.example/kept");
      const missing = replaced - (await chain.client.getBlockNumber({ cacheTime: 0 }));
      await mineEach(Number(missing));
      await expect
        .poll(
          async () => {
            await chain.client.mine({ blocks: 1 });
            return [
              await indexedWith("https://alice.example/undone"),
              await indexedWith("https://alice.example/kept"),
            ];
          },
          { timeout: PATIENCE_MS, interval: 500 },
        )
        .toEqual([0, 1]);
      expect(kept.agentId).toBe(undone.agentId);
      results.push(
        `| reorganizes ${depth} blocks | after | ${seconds(performance.now() - begun)} | | |`,
      );
    },
    PATIENCE_MS,
  );
});

describe("an indexer on a node of another chain", () => {
  it("does not start, and says why", async () => {
    await node.misbehave({ kind: "is on another chain", chainId: 8453 });
    const started = startIndexer({
      databaseUrl: database.url,
      deploymentPath: chain.deploymentPath,
      rpcUrl: node.url,
    });
    await expect(started).rejects.toThrow(
      `The node ${node.host} of RPC_URL is on chain 8453, and the deployment on chain 31337. Set RPC_URL to nodes of chain 31337, or SVC_DEPLOYMENT to the file of chain 8453.`,
    );
  });
});
