import type { Hex, LocalAccount } from "viem";
import { encodeFunctionData, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createChainClient } from "../../api/chain/clients.ts";
import { type Call, createRelayer, type RelayerTiming } from "../../api/chain/relayer.ts";
import { connectDatabase, type DatabaseConnection } from "../../api/db/connect.ts";
import { createLease } from "../../api/db/lease.ts";
import { relayerTransactionStore } from "../../api/db/relayer-transactions.ts";
import { ApiError } from "../../api/errors.ts";
import { createLog } from "../../api/log.ts";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { type RegistrationMessage, registrationTypedData } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/lib/accounts.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../fixtures/sign-in-chain.ts";
import { newAccount } from "./sign-in-harness.ts";

const CHAIN_ID = 31337;
/** Quick to look, and patient enough never to act by itself. */
const PATIENT: RelayerTiming = {
  poll: 10,
  bumpAfter: 60_000,
  giveUpAfter: 60_000,
  leaseWait: 10_000,
};
/** Gives up before it has sent anything: what a process that dies after storing a transaction leaves behind. */
const DIES_BEFORE_SENDING: RelayerTiming = { ...PATIENT, giveUpAfter: 0 };

let chain: SignInChain;
let database: TestDatabase;
const connections: DatabaseConnection[] = [];
/** Pays and signs; nobody else has used it. */
let account: LocalAccount;

beforeAll(async () => {
  [chain, database] = await Promise.all([startSignInChain(), createDatabase()]);
});
beforeEach(async () => {
  account = newAccount();
  await chain.fund(account.address);
});
afterEach(async () => {
  await chain.client.setAutomine(true);
  for (const connection of connections.splice(0)) await connection.close();
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

/** A relayer as a process of its own has it: with its own client and its own connections. */
function relayerProcess({
  timing = PATIENT,
  sender = account,
  confirmations = 1,
  rpcUrl = chain.rpcUrl,
} = {}) {
  const log = createLog("silent");
  const connection = connectDatabase(database.url, log);
  connections.push(connection);
  const store = relayerTransactionStore(connection.db);
  const lease = createLease(connection.pool);
  const client = createChainClient({ chainId: CHAIN_ID, rpcUrl });
  const clock = () => new Date();
  const relayer = createRelayer({
    ...{ client, store, lease, log, clock, timing, confirmations },
    account: sender,
  });
  return { ...relayer, store, lease, pool: connection.pool };
}

/** Something that can be done any number of times, and leaves its text on chain. */
const write = (text: string) => async (): Promise<Call> => ({
  to: chain.contracts.identityRegistry,
  data: encodeFunctionData({
    abi: identityRegistryAbi,
    functionName: "register",
    args: [`https://agents.example/${text}`],
  }),
});
const notAsked = () => Promise.reject(new Error("An operation that is signed is not built again."));

const nonceOf = (sender: LocalAccount, blockTag: "latest" | "pending" = "latest") =>
  chain.client.getTransactionCount({ address: sender.address, blockTag });

async function failure(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => new Error("It did not fail."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  const { type, message, details, retryAfter } = error;
  return { type, message, details, retryAfter };
}

describe("operations", () => {
  it("of two processes with one key never clash", async () => {
    const processes = [relayerProcess(), relayerProcess()];
    const operations = processes.flatMap((relayer, process) =>
      Array.from({ length: 8 }, (_, i) => ({ relayer, id: `clash:${process}:${i}` })),
    );
    const receipts = await Promise.all(
      operations.map(({ relayer, id }) => relayer.run(id, write(id))),
    );

    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(16);
    expect(receipts.map(({ status, from }) => ({ status, from }))).toEqual(
      receipts.map(() => ({ status: "success", from: account.address.toLowerCase() })),
    );
    expect(await nonceOf(account)).toBe(16);
    const [any] = processes;
    const rows = await Promise.all(operations.map(({ id }) => any?.store.find(id)));
    expect(rows.map((row) => Number(row?.nonce)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, nonce) => nonce),
    );
    expect(await any?.store.listOpen(account.address)).toEqual([]);
  });

  it("are kept with everything that is known of them", async () => {
    const relayer = relayerProcess();
    const receipt = await relayer.run("kept", write("kept"));
    const transaction = await chain.client.getTransaction({ hash: receipt.transactionHash });
    expect(await relayer.store.find("kept")).toEqual({
      operationId: "kept",
      sender: account.address,
      nonce: 0n,
      raw: expect.stringMatching(/^0x02/) as string,
      hashes: [receipt.transactionHash],
      status: "mined",
      blockNumber: receipt.blockNumber,
      gasLimit: transaction.gas,
      gasUsed: receipt.gasUsed,
      maxFeePerGas: transaction.maxFeePerGas,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGas,
    });
    expect(transaction.gas).toBeGreaterThan(receipt.gasUsed);
    expect(transaction.gas).toBeLessThanOrEqual(16_777_216n);
  });

  it("asked for by both processes at once, and again, are done once", async () => {
    const [one, other] = [relayerProcess(), relayerProcess()];
    const receipts = await Promise.all([
      one.run("once", write("once")),
      other.run("once", write("once")),
    ]);
    receipts.push(await other.run("once", notAsked));
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(1);
    expect(await nonceOf(account)).toBe(1);
  });

  it("count as done only when they are as deep as asked", async () => {
    const relayer = relayerProcess({ confirmations: 3 });
    let receiptBlock = 0n;
    const running = relayer.run("deep", write("deep")).then((receipt) => {
      receiptBlock = receipt.blockNumber;
      return chain.client.getBlockNumber({ cacheTime: 0 });
    });
    await vi.waitFor(async () => expect(await nonceOf(account)).toBe(1));
    await chain.client.mine({ blocks: 1 });
    expect((await relayer.store.find("deep"))?.status).toBe("open");
    await chain.client.mine({ blocks: 1 });
    expect(await running).toBe(receiptBlock + 2n);
    expect((await relayer.store.find("deep"))?.status).toBe("mined");
  });
});

describe("a process that dies between storing a transaction and sending it", () => {
  it("leaves what the next one sends, once", async () => {
    const died = relayerProcess({ timing: DIES_BEFORE_SENDING });
    const refusal = await failure(died.run("left", write("left")));
    const left = await died.store.find("left");
    expect(refusal).toEqual({
      type: "CHAIN_UNAVAILABLE",
      message: "The transaction was sent and is not mined yet.",
      details: { transactionHash: left?.hashes[0] },
      retryAfter: 5,
    });
    expect(left).toMatchObject({ status: "open", nonce: 0n, blockNumber: null, gasUsed: null });
    expect(await nonceOf(account, "pending")).toBe(0);

    const next = relayerProcess();
    await next.recover();
    await next.recover();
    expect(await nonceOf(account)).toBe(1);
    expect(await next.store.find("left")).toMatchObject({ status: "mined", raw: left?.raw });
    const receipt = await next.run("left", notAsked);
    expect([receipt.transactionHash]).toEqual(left?.hashes);
  });

  it("does not hold up the next operation, which comes after it", async () => {
    await failure(relayerProcess({ timing: DIES_BEFORE_SENDING }).run("before", write("before")));
    const next = relayerProcess();
    await next.run("after", write("after"));
    expect(await next.store.find("before")).toMatchObject({ status: "mined", nonce: 0n });
    expect(await next.store.find("after")).toMatchObject({ status: "mined", nonce: 1n });
    expect(await nonceOf(account)).toBe(2);
  });
});

describe("a process that dies after sending a transaction", () => {
  it("leaves what the next one finds, mined or not", async () => {
    await chain.client.setAutomine(false);
    const died = relayerProcess();
    const dying = died.run("sent", write("sent"));
    await vi.waitFor(async () => expect(await nonceOf(account, "pending")).toBe(1));
    // Its connections break, and with them its lease: what it still does finds no database.
    await died.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())",
    );

    const next = relayerProcess();
    const finding = next.run("sent", notAsked);
    await chain.client.mine({ blocks: 1 });
    const receipt = await finding;
    expect(await nonceOf(account)).toBe(1);
    expect((await next.store.find("sent"))?.hashes).toEqual([receipt.transactionHash]);
    expect((await dying).transactionHash).toBe(receipt.transactionHash);
  });
});

describe("a refusal", () => {
  const registrar = privateKeyToAccount(stackAccounts().relayer.privateKey);

  async function registration(owner: LocalAccount, signer = owner): Promise<Call> {
    const { timestamp } = await chain.client.getBlock();
    const message: RegistrationMessage = {
      ...{ name: "grey-heron", owner: owner.address, operator: owner.address },
      agentType: 2,
      soulHash: `0x${"a1".repeat(32)}`,
      soulMerkleRoot: `0x${"b2".repeat(32)}`,
      contentHash: `0x${"c3".repeat(32)}`,
      ...{ bindPassport: false, passportId: 0n, parentTokenId: 0n, organizationId: 0n },
      ...{ seal: true, nonce: 77n, deadline: timestamp + 3600n },
    };
    const verifyingContract = chain.contracts.soulRegistry;
    const signature: Hex = await signer.signTypedData(
      registrationTypedData({ chainId: CHAIN_ID, verifyingContract, message }),
    );
    const publication = {
      ...{ archiveId: "", agentURI: "", agentURIWithoutIds: "" },
      ...{ expectedPassportId: 0n, expectedTokenId: 0n },
    };
    return {
      to: verifyingContract,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "register",
        args: [message, publication, signature],
      }),
    };
  }

  it("in simulation is told by its name, and leaves nothing", async () => {
    const owner = newAccount();
    const relayer = relayerProcess({ sender: registrar });
    const before = await nonceOf(registrar);
    const refused = relayer.run("refused", () => registration(owner, newAccount()));
    expect(await failure(refused)).toEqual({
      type: "INVALID_SIGNATURE",
      message: "The contract refused: InvalidSignature.",
      details: { reason: "InvalidSignature", args: { signer: owner.address } },
      retryAfter: undefined,
    });
    expect(await relayer.store.find("refused")).toBeNull();
    expect(await nonceOf(registrar, "pending")).toBe(before);
  });

  it("that no catalogue row names is our own fault, and says nothing", async () => {
    // Without the role the registry refuses whoever calls.
    const relayer = relayerProcess();
    const refused = relayer.run("no-role", () => registration(newAccount()));
    expect(await failure(refused)).toEqual({
      type: "INTERNAL",
      message: "Something went wrong on our side.",
      details: undefined,
      retryAfter: undefined,
    });
    expect(await relayer.store.find("no-role")).toBeNull();
  });

  it("on chain is told by its name too, each time, and the next operation goes on", async () => {
    const owner = newAccount();
    await chain.fund(owner.address);
    const relayer = relayerProcess({ sender: registrar });
    const before = await nonceOf(registrar);
    await chain.client.setAutomine(false);
    const refused = failure(relayer.run("reverted", () => registration(owner)));
    await vi.waitFor(async () => expect(await nonceOf(registrar, "pending")).toBe(before + 1));
    // The owner takes back the signature, and pays to be first in the block.
    await chain.client.writeContract({
      account: owner,
      address: chain.contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [77n],
      // Estimated, it would fail behind the registration.
      gas: 100_000n,
      maxPriorityFeePerGas: parseGwei("100"),
      maxFeePerGas: parseGwei("200"),
    });
    await chain.client.mine({ blocks: 1 });
    await chain.client.setAutomine(true);

    const told = {
      type: "NONCE_USED",
      message: "The contract refused: NonceAlreadyUsed.",
      details: { reason: "NonceAlreadyUsed", args: { signer: owner.address, nonce: 77n } },
      retryAfter: undefined,
    };
    expect(await refused).toEqual(told);
    expect(await failure(relayer.run("reverted", notAsked))).toEqual(told);
    const row = await relayer.store.find("reverted");
    expect(row).toMatchObject({ status: "reverted", nonce: BigInt(before) });
    const receipt = await chain.client.getTransactionReceipt({ hash: row?.hashes[0] as Hex });
    expect(receipt).toMatchObject({
      status: "reverted",
      blockNumber: row?.blockNumber,
      gasUsed: row?.gasUsed,
    });
    expect((await relayer.run("next", write("next"))).status).toBe("success");
  });
});

describe("a transaction that is not mined in time", () => {
  it("is replaced by one that pays at least a tenth more, under the same nonce", async () => {
    await chain.client.setAutomine(false);
    const relayer = relayerProcess({ timing: { ...PATIENT, bumpAfter: 50 } });
    const running = relayer.run("stuck", write("stuck"));
    const versions = async () => (await relayer.store.find("stuck"))?.hashes ?? [];
    await vi.waitFor(async () => expect(await nonceOf(account, "pending")).toBe(1));
    const first = await chain.client.getTransaction({ hash: (await versions())[0] as Hex });
    // With the third stored, the second was sent.
    await vi.waitFor(async () => expect((await versions()).length).toBeGreaterThan(2), 10_000);
    await chain.client.mine({ blocks: 1 });

    const receipt = await running;
    const hashes = await versions();
    expect(hashes.indexOf(receipt.transactionHash)).toBeGreaterThan(0);
    const mined = await chain.client.getTransaction({ hash: receipt.transactionHash });
    expect(mined).toMatchObject({ nonce: 0, to: first.to, input: first.input, gas: first.gas });
    for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
      expect((mined[fee] ?? 0n) * 10n).toBeGreaterThanOrEqual((first[fee] ?? 0n) * 11n);
    }
    expect(await relayer.store.find("stuck")).toMatchObject({ status: "mined", nonce: 0n });
    expect(await nonceOf(account, "pending")).toBe(1);
  });
});

describe("a node that does not answer", () => {
  it("is CHAIN_UNAVAILABLE, and nothing is stored", async () => {
    const relayer = relayerProcess({ rpcUrl: "http://127.0.0.1:9" });
    expect(await failure(relayer.run("down", write("down")))).toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      message: "The blockchain node does not answer.",
    });
    expect(await relayer.store.find("down")).toBeNull();
  });
});

describe("a relayer that is closed", () => {
  it("finishes nothing new", async () => {
    const relayer = relayerProcess();
    await relayer.close();
    expect(await failure(relayer.run("late", write("late")))).toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      message: "The service is stopping.",
    });
    expect(await relayer.store.find("late")).toBeNull();
  });

  it("leaves an unmined transaction to the next process", async () => {
    await chain.client.setAutomine(false);
    const relayer = relayerProcess();
    const running = failure(relayer.run("closing", write("closing")));
    await vi.waitFor(async () => expect(await nonceOf(account, "pending")).toBe(1));
    await relayer.close();
    expect(await running).toMatchObject({ type: "CHAIN_UNAVAILABLE", retryAfter: 5 });
    await chain.client.mine({ blocks: 1 });
    const next = relayerProcess();
    await next.recover();
    expect(await next.store.find("closing")).toMatchObject({ status: "mined" });
  });
});

describe("the lease", () => {
  it("is one process's at a time, and a wait for it ends", async () => {
    const [one, other] = [relayerProcess(), relayerProcess()];
    const name = `lease:${account.address}`;
    await one.lease.hold(name, 1_000, async () => {
      expect(await failure(other.lease.hold(name, 50, async () => "got it"))).toEqual({
        type: "CHAIN_UNAVAILABLE",
        message: "Too many transactions are waiting to be sent.",
        details: undefined,
        retryAfter: 5,
      });
      expect(await other.lease.hold(`${name}:other`, 50, async () => "got it")).toBe("got it");
    });
    expect(await other.lease.hold(name, 50, async () => "got it")).toBe("got it");
  });

  it("is freed when the work fails", async () => {
    const [one, other] = [relayerProcess(), relayerProcess()];
    const work = () => Promise.reject(new Error("no"));
    await expect(one.lease.hold(account.address, 1_000, work)).rejects.toThrow("no");
    expect(await other.lease.hold(account.address, 50, async () => "got it")).toBe("got it");
  });

  it("tells its holder when it is lost", async () => {
    const { lease, pool } = relayerProcess();
    const lost = lease.hold(account.address, 1_000, async (assertHeld) => {
      assertHeld();
      await pool.query(
        "select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory' and d.datname = current_database()",
      );
      await vi.waitFor(() => expect(assertHeld).toThrow(ApiError));
      return assertHeld();
    });
    expect(await failure(lost)).toEqual({
      type: "CHAIN_UNAVAILABLE",
      message: "The blockchain node does not answer.",
      details: undefined,
      retryAfter: 1,
    });
    expect(await lease.hold(account.address, 50, async () => "got it")).toBe("got it");
  });
});
