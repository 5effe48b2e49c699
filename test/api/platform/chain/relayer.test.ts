import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import pg from "pg";
import {
  type Address,
  type BaseError,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type PublicClient,
  parseEther,
  parseTransaction,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RevertedError } from "../../../../api/kernel/errors.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { createRelayer, type RelayerTiming } from "../../../../api/platform/chain/relayer.ts";
import { relayerTransaction } from "../../../../api/platform/chain/tables.ts";
import { relayerTransactionStore } from "../../../../api/platform/chain/transactions.store.ts";
import type { Call, TransactionStore } from "../../../../api/platform/chain/transactions.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLease } from "../../../../api/platform/database/lease.ts";
import { soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { deployWallet, walletAbi } from "../../../fixtures/contract-wallet.ts";
import { type IndexedChain, startIndexedChain } from "../../../fixtures/indexed-chain.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

/** A busy machine may take longer than the second that vitest waits. */
const SOON = { timeout: 30_000 };

const TIMING: RelayerTiming = {
  leaseWaitMs: 10_000,
  minedTimeoutMs: 10_000,
  bumpAfterMs: 10_000,
  pollMs: 5,
};
const NOW = new Date("2027-01-02T03:04:05Z");

let chain: IndexedChain;
let client: PublicClient;
let database: TestDatabase;
let connection: DatabaseConnection;
/** Each test has its own key, so that one test's leftovers cannot affect another. */
let account: LocalAccount;
const { log } = capturedLog("silent");
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  connection = connectDatabase(database.url, log);
  client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337 });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await chain.stop();
});
beforeEach(async () => {
  account = await fundedAccount();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await chain.client.setAutomine(true);
});

async function fundedAccount(): Promise<LocalAccount> {
  const fresh = privateKeyToAccount(generatePrivateKey());
  await chain.client.setBalance({ address: fresh.address, value: parseEther("1000") });
  return fresh;
}

interface Setting {
  readonly client: PublicClient;
  readonly store: TransactionStore;
  readonly connection: DatabaseConnection;
  readonly timing: Partial<RelayerTiming>;
  readonly confirmations: number;
}

function newRelayer(setting: Partial<Setting> = {}) {
  const { db, pool } = setting.connection ?? connection;
  const relayer = createRelayer({
    client: setting.client ?? client,
    account,
    store: setting.store ?? relayerTransactionStore(db),
    lease: createLease(pool),
    log,
    clock: () => NOW,
    confirmations: setting.confirmations ?? 1,
    timing: { ...TIMING, ...setting.timing },
  });
  closing.push(() => relayer.close());
  return relayer;
}

function cancel(nonce: bigint): Call {
  const data = encodeFunctionData({ abi: soulRegistryAbi, functionName: "cancel", args: [nonce] });
  return { to: chain.soulRegistry, data };
}
const build = (nonce: bigint) => async () => cancel(nonce);

const isCancelled = (nonce: bigint, signer: Address = account.address) =>
  client.readContract({
    address: chain.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "isNonceUsed",
    args: [signer, nonce],
  });
const sentCount = () => client.getTransactionCount({ address: account.address });
const pendingCount = () =>
  client.getTransactionCount({ address: account.address, blockTag: "pending" });
const rows = () =>
  connection.db
    .select()
    .from(relayerTransaction)
    .where(eq(relayerTransaction.sender, account.address))
    .orderBy(relayerTransaction.nonce);

async function onlyRow() {
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  if (!row) throw new Error("No row");
  return row;
}

class Crash extends Error {}
/** A client whose process dies instead of sending. */
const crashing = (): PublicClient => ({
  ...client,
  sendRawTransaction: () => Promise.reject(new Crash()),
});

/**
 * A client of a node that reads from an old block, and has caught up when a receipt is asked for after
 * two refused transactions.
 */
function laggingClient() {
  const refused: string[] = [];
  let isBehind = true;
  const lagging: PublicClient = {
    ...client,
    getTransactionCount: async (args) => (isBehind ? 0 : client.getTransactionCount(args)),
    async getTransactionReceipt(args) {
      isBehind &&= refused.length < 2;
      if (isBehind) throw new TransactionReceiptNotFoundError(args);
      return client.getTransactionReceipt(args);
    },
    async getTransaction(args) {
      if (isBehind) throw new TransactionNotFoundError({});
      return client.getTransaction(args);
    },
    async sendRawTransaction(args) {
      try {
        return await client.sendRawTransaction(args);
      } catch (error) {
        refused.push((error as BaseError).details);
        throw error;
      }
    },
  };
  return { lagging, refused };
}

describe("an operation", () => {
  it("is mined, and its whole record is stored", async () => {
    const operationId = randomUUID();
    const estimate = await client.estimateGas({
      account: account.address,
      ...cancel(1n),
      prepare: false,
    });
    const receipt = await newRelayer().run(operationId, build(1n));

    expect(receipt).toMatchObject({ status: "success", from: account.address.toLowerCase() });
    expect(await isCancelled(1n)).toBe(true);
    const row = await onlyRow();
    const signed = parseTransaction(row.raw as Hex);
    expect(row).toEqual({
      operationId,
      sender: account.address,
      nonce: 0,
      raw: expect.stringMatching(/^0x02/),
      hashes: [receipt.transactionHash],
      status: "mined",
      blockNumber: receipt.blockNumber,
      gasLimit: signed.gas,
      gasUsed: receipt.gasUsed,
      maxFeePerGas: signed.maxFeePerGas,
      maxPriorityFeePerGas: signed.maxPriorityFeePerGas,
      createdAt: NOW,
      traceparent: null,
      updatedAt: NOW,
    });
    expect(signed).toMatchObject({
      ...cancel(1n),
      to: chain.soulRegistry.toLowerCase(),
      chainId: 31337,
    });
    expect(row.gasLimit).toBe((estimate * 12n) / 10n);
  });

  it("answers its receipt again without a second transaction", async () => {
    const relayer = newRelayer();
    const receipt = await relayer.run("again", build(1n));
    const never = vi.fn(build(2n));
    expect(await relayer.run("again", never)).toEqual(receipt);
    expect(await newRelayer().run("again", never)).toEqual(receipt);
    expect(never).not.toHaveBeenCalled();
    expect(await sentCount()).toBe(1);
  });

  it("is refused without a trace while the account cannot pay, and runs later", async () => {
    await chain.client.setBalance({ address: account.address, value: 1n });
    const relayer = newRelayer();
    await expect(relayer.run("unpaid", build(1n))).rejects.toMatchObject({
      type: "GAS_BUDGET_EXHAUSTED",
      status: 503,
      message: "The service's account has too little ether for this transaction. Try again later.",
      details: undefined,
    });
    expect(await rows()).toEqual([]);
    expect(await sentCount()).toBe(0);

    await chain.client.setBalance({ address: account.address, value: parseEther("1") });
    expect(await relayer.run("unpaid", build(1n))).toMatchObject({ status: "success" });
    expect(await sentCount()).toBe(1);
  });

  it("runs once when two callers ask for it at once", async () => {
    const [one, two] = await Promise.all([
      newRelayer().run("at-once", build(1n)),
      newRelayer().run("at-once", build(1n)),
    ]);
    expect(one).toEqual(two);
    expect(await sentCount()).toBe(1);
  });

  it("that the contract refuses in simulation leaves no trace", async () => {
    const relayer = newRelayer();
    await relayer.run("first", build(7n));
    await expect(relayer.run("second", build(7n))).rejects.toMatchObject({
      type: "NONCE_USED",
      details: { reason: "NonceAlreadyUsed", args: { signer: account.address, nonce: "7" } },
    });
    expect((await onlyRow()).operationId).toBe("first");
    expect(await sentCount()).toBe(1);
  });

  it("that needs more gas than its limit is refused without a trace", async () => {
    const needed = await client.estimateGas({
      account: account.address,
      ...cancel(4n),
      prepare: false,
    });
    const gas = needed - 5_000n;
    const refused = newRelayer().run(randomUUID(), async () => ({ ...cancel(4n), gas }));
    await expect(refused).rejects.toMatchObject({
      type: "INVALID_REQUEST",
      message: `The owner's wallet needs more than the ${gas} gas that the service pays for.`,
      details: { gas: gas.toString() },
    });
    expect([await rows(), await isCancelled(4n)]).toEqual([[], false]);
  });

  it("uses no more gas than its limit", async () => {
    const needed = await client.estimateGas({
      account: account.address,
      ...cancel(5n),
      prepare: false,
    });
    const gas = needed + 1n;
    await newRelayer().run(randomUUID(), async () => ({ ...cancel(5n), gas }));
    expect((await onlyRow()).gasLimit).toBe(gas);
  });

  it("whose call cannot be built fails with that error, and the next operation runs", async () => {
    const relayer = newRelayer();
    const cause = new Error("no storage");
    const failing = relayer.run("unbuilt", () => Promise.reject(cause));
    const next = relayer.run("next", build(1n));
    await expect(failing).rejects.toBe(cause);
    expect((await next).status).toBe("success");
    expect(await sentCount()).toBe(1);
  });

  it("that reverts on chain is decoded, now and when it is requested again", async () => {
    const wallet = await deployWallet(chain, account.address);
    const store = relayerTransactionStore(connection.db);
    const relayer = newRelayer({
      store: {
        ...store,
        // After the simulation another sender is faster, in the same block.
        async insert(transaction, at) {
          await store.insert(transaction, at);
          await chain.client.setAutomine(false);
          await chain.client.impersonateAccount({ address: wallet });
          await chain.client.setBalance({ address: wallet, value: parseEther("1") });
          await chain.client.sendTransaction({
            account: wallet,
            ...cancel(9n),
            maxPriorityFeePerGas: transaction.maxPriorityFeePerGas * 2n,
          });
        },
      },
    });
    const { to, data } = cancel(9n);
    const call = {
      to: wallet,
      data: encodeFunctionData({ abi: walletAbi, functionName: "execute", args: [to, data] }),
    };
    const refusal = {
      type: "NONCE_USED",
      details: { reason: "NonceAlreadyUsed", args: { signer: wallet, nonce: "9" } },
    };
    const outcome = expect(relayer.run("reverting", async () => call)).rejects.toMatchObject(
      refusal,
    );
    await vi.waitUntil(async () => (await pendingCount()) === 1, SOON);
    await chain.client.mine({ blocks: 1 });
    await outcome;
    const row = await onlyRow();
    const receipt = await client.getTransactionReceipt({ hash: row.hashes[0] as Hex });
    expect(receipt.status).toBe("reverted");
    expect(row).toMatchObject({
      status: "reverted",
      blockNumber: receipt.blockNumber,
      gasUsed: receipt.gasUsed,
    });
    const again = newRelayer().run("reverting", async () => call);
    await expect(again).rejects.toMatchObject(refusal);
    // Unlike a refused simulation, any revert on chain ends the operation.
    await expect(again).rejects.toBeInstanceOf(RevertedError);
    expect(await sentCount()).toBe(1);
  });

  it("counts as mined only under the confirmations that the network needs", async () => {
    const running = newRelayer({ confirmations: 3 }).run("deep", build(1n));
    await vi.waitUntil(async () => (await sentCount()) === 1, SOON);
    expect((await onlyRow()).status).toBe("open");
    await chain.client.mine({ blocks: 2 });
    const receipt = await running;
    expect(await onlyRow()).toMatchObject({ status: "mined", blockNumber: receipt.blockNumber });
  });
});

describe("after a crash", () => {
  it("before sending, the stored bytes are sent once", async () => {
    await expect(newRelayer({ client: crashing() }).run("crashed", build(1n))).rejects.toThrow(
      Crash,
    );
    expect(await onlyRow()).toMatchObject({ status: "open", nonce: 0, blockNumber: null });
    expect(await sentCount()).toBe(0);

    const relayer = newRelayer();
    await relayer.recover();
    const row = await onlyRow();
    expect(row).toMatchObject({ operationId: "crashed", status: "mined" });
    expect(row.hashes).toHaveLength(1);
    await relayer.recover();
    const never = vi.fn(build(2n));
    const receipt = await relayer.run("crashed", never);
    expect(receipt.transactionHash).toBe(row.hashes[0]);
    expect(never).not.toHaveBeenCalled();
    expect(await sentCount()).toBe(1);
  });

  it("after mining, the receipt is found", async () => {
    const store = relayerTransactionStore(connection.db);
    const dying = { ...store, settle: () => Promise.reject(new Crash()) };
    await expect(newRelayer({ store: dying }).run("mined", build(1n))).rejects.toThrow(Crash);
    expect((await onlyRow()).status).toBe("open");
    expect((await newRelayer().run("mined", build(2n))).status).toBe("success");
    expect((await onlyRow()).status).toBe("mined");
    expect(await sentCount()).toBe(1);
  });

  it("after mining, the receipt is found once a node that reads from an old block has caught up", async () => {
    const store = relayerTransactionStore(connection.db);
    const dying = { ...store, settle: () => Promise.reject(new Crash()) };
    await expect(newRelayer({ store: dying }).run("behind", build(1n))).rejects.toThrow(Crash);

    const { lagging, refused } = laggingClient();
    expect((await newRelayer({ client: lagging }).run("behind", build(2n))).status).toBe("success");
    expect(refused).toEqual([
      expect.stringMatching(/nonce too low/i),
      expect.stringMatching(/nonce too low/i),
    ]);
    expect((await onlyRow()).status).toBe("mined");
    expect(await sentCount()).toBe(1);
  });

  it("the pending operation is settled before a new one", async () => {
    await expect(newRelayer({ client: crashing() }).run("left", build(1n))).rejects.toThrow(Crash);
    await newRelayer().run("new", build(2n));
    expect(await rows()).toMatchObject([
      { operationId: "left", nonce: 0, status: "mined" },
      { operationId: "new", nonce: 1, status: "mined" },
    ]);
  });

  it("a transaction whose block was reorganized away is sent again", async () => {
    const snapshot = await chain.client.snapshot();
    const relayer = newRelayer();
    const before = await relayer.run("reorganised", build(1n));
    await chain.client.revert({ id: snapshot });
    expect(await isCancelled(1n)).toBe(false);
    await chain.client.mine({ blocks: 1 });

    await relayer.recover();
    expect(await isCancelled(1n)).toBe(true);
    const row = await onlyRow();
    expect(row).toMatchObject({ status: "mined", hashes: [before.transactionHash] });
    expect(row.blockNumber).toBe(before.blockNumber + 1n);
  });

  it("an operation whose nonce another transaction finally used is built anew", async () => {
    await expect(newRelayer({ client: crashing() }).run("overtaken", build(1n))).rejects.toThrow(
      Crash,
    );
    await chain.mined(await chain.client.sendTransaction({ account, ...cancel(5n) }));
    expect((await newRelayer().run("overtaken", build(1n))).status).toBe("success");
    expect(await onlyRow()).toMatchObject({ operationId: "overtaken", nonce: 1, status: "mined" });
    expect(await isCancelled(1n)).toBe(true);
  });
});

describe("a transaction that is not mined", () => {
  it("is replaced by one that pays at least an eighth more", async () => {
    await chain.client.setAutomine(false);
    const store = relayerTransactionStore(connection.db);
    const insert = vi.fn(store.insert);
    const timing = { bumpAfterMs: 50 };
    const running = newRelayer({ timing, store: { ...store, insert } }).run("stuck", build(1n));
    await vi.waitUntil(async () => ((await rows())[0]?.hashes.length ?? 0) >= 2, SOON);
    await chain.client.mine({ blocks: 1 });
    const receipt = await running;

    const row = await onlyRow();
    expect(row.status).toBe("mined");
    expect(row.hashes).toContain(receipt.transactionHash);
    expect(receipt.transactionHash).not.toBe(row.hashes[0]);
    expect(await sentCount()).toBe(1);
    const mined = await client.getTransaction({ hash: receipt.transactionHash });
    expect(mined).toMatchObject({ nonce: 0, input: cancel(1n).data, gas: row.gasLimit });
    const first = insert.mock.calls[0]?.[0];
    if (!first) throw new Error("Nothing was stored.");
    expect(row.hashes[0]).toBe(first.hashes[0]);
    expect(mined.maxFeePerGas).toBeGreaterThanOrEqual((first.maxFeePerGas * 9n) / 8n);
    expect(mined.maxPriorityFeePerGas).toBeGreaterThanOrEqual(
      (first.maxPriorityFeePerGas * 9n) / 8n,
    );
    const signed = parseTransaction(row.raw as Hex);
    expect(row.maxFeePerGas).toBe(signed.maxFeePerGas);
    expect(row.maxPriorityFeePerGas).toBe(signed.maxPriorityFeePerGas);
  });

  it("stays pending, and the next try continues it", async () => {
    await chain.client.setAutomine(false);
    // Long enough for the wait for the lease on a busy machine, which counts too.
    const timing = { minedTimeoutMs: 1_000 };
    await expect(newRelayer({ timing }).run("slow", build(1n))).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      message: "The transaction was not mined in time.",
      retryAfter: 2,
    });
    expect(await onlyRow()).toMatchObject({ status: "open" });
    await chain.client.mine({ blocks: 1 });
    const receipt = await newRelayer().run("slow", build(2n));
    expect((await onlyRow()).hashes).toEqual([receipt.transactionHash]);
    expect(await sentCount()).toBe(1);
  });

  it("never offers more than four times the current fee", async () => {
    await chain.client.setAutomine(false);
    const timing = { bumpAfterMs: 1, minedTimeoutMs: 4_000 };
    await expect(newRelayer({ timing }).run("dear", build(1n))).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
    });
    const row = await onlyRow();
    const { maxFeePerGas } = await client.estimateFeesPerGas({ chain: client.chain });
    expect(row.maxFeePerGas).toBeLessThanOrEqual(maxFeePerGas * 4n);
    expect(row.maxFeePerGas).toBeGreaterThan(maxFeePerGas * 3n);
    await chain.client.mine({ blocks: 1 });
  });
});

describe("several processes", () => {
  it("share one key without using a nonce twice", async () => {
    const other = connectDatabase(database.url, log);
    closing.push(() => other.close());
    const relayers = [newRelayer(), newRelayer({ connection: other })];
    const receipts = await Promise.all(
      relayers.flatMap((relayer, index) =>
        Array.from({ length: 10 }, (_, i) =>
          relayer.run(`${index}-${i}`, build(BigInt(100 * index + i))),
        ),
      ),
    );
    expect(receipts.map(({ status }) => status)).toEqual(Array(20).fill("success"));
    const stored = await rows();
    expect(stored.map(({ nonce }) => Number(nonce))).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(["mined"]));
    expect(await sentCount()).toBe(20);
  });

  it("wait for each other within a time limit", async () => {
    const holder = await leaseHolder();
    const timing = { leaseWaitMs: 50 };
    await expect(newRelayer({ timing }).run("waiting", build(1n))).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      message: "Transactions cannot be sent now. Try again later.",
      retryAfter: 5,
    });
    expect(await rows()).toEqual([]);
    // A crash of the holder frees the key.
    await holder.end();
    expect((await newRelayer().run("waiting", build(1n))).status).toBe("success");
  });

  it("do not sign after losing the lease, and acquire it again for the next operation", async () => {
    const relayer = newRelayer();
    const losing = relayer.run("lost", async () => {
      const { rowCount } = await connection.db.execute(
        sql`select pg_terminate_backend(pid) from pg_locks
            where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rowCount).toBe(1);
      return cancel(1n);
    });
    const next = relayer.run("after", build(2n));
    await expect(losing).rejects.toMatchObject({ type: "CHAIN_UNAVAILABLE", retryAfter: 5 });
    expect((await next).status).toBe("success");
    expect(await onlyRow()).toMatchObject({ operationId: "after", nonce: 0 });
    expect(await isCancelled(1n)).toBe(false);
  });
});

describe("a failure", () => {
  it("of the node is CHAIN_UNAVAILABLE and leaves no trace", async () => {
    const down = createChainClient({ rpcUrl: "http://127.0.0.1:1", chainId: 31337 });
    const relayer = newRelayer({ client: down });
    const expected = { type: "CHAIN_UNAVAILABLE", retryAfter: 2 };
    await expect(relayer.run("down", build(1n))).rejects.toMatchObject(expected);
    await expect(relayer.recover()).rejects.toMatchObject(expected);
    expect(await rows()).toEqual([]);
  });

  it("by shutdown refuses queued operations and ends waits", async () => {
    await chain.client.setAutomine(false);
    const relayer = newRelayer();
    const running = relayer.run("running", build(1n));
    const queued = relayer.run("queued", build(2n));
    const outcomes = Promise.allSettled([running, queued]);
    await vi.waitUntil(async () => (await rows()).length === 1, SOON);
    await relayer.close();
    const refusal = {
      status: "rejected",
      reason: { type: "CHAIN_UNAVAILABLE", message: "The service is shutting down." },
    };
    expect(await outcomes).toMatchObject([refusal, refusal]);
    await expect(relayer.run("late", build(3n))).rejects.toMatchObject(refusal.reason);
    expect(await rows()).toMatchObject([{ operationId: "running", status: "open" }]);
    await chain.client.mine({ blocks: 1 });
  });
});

/** Another process that holds the lease on the key. */
async function leaseHolder(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("select pg_advisory_lock(hashtextextended($1, 0))", [
    `relayer:${account.address.toLowerCase()}`,
  ]);
  return holder;
}
