import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import {
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseEther,
  zeroHash,
} from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { batchOperation } from "../../../../api/features/organizations/batches/batch.ts";
import { registerOperation } from "../../../../api/features/registration/register-operation.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { createRelayerLanes } from "../../../../api/platform/chain/lanes/lanes.ts";
import { createLaneWatch } from "../../../../api/platform/chain/lanes/standing.ts";
import { createRelayer, type RelayerTiming } from "../../../../api/platform/chain/relayer.ts";
import { relayerTransaction } from "../../../../api/platform/chain/tables.ts";
import { relayerTransactionStore } from "../../../../api/platform/chain/transactions.store.ts";
import type { Call, TransactionStore } from "../../../../api/platform/chain/transactions.ts";
import { type Deployment, readDeployment } from "../../../../api/platform/config/deployment.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLease } from "../../../../api/platform/database/lease.ts";
import { chronicleAnchorAbi, soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { changeRole, relayerAccount } from "../../../fixtures/relayer-accounts.ts";
import { type SignInChain, startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
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

let chain: SignInChain;
let client: PublicClient;
let contracts: Deployment["contracts"];
let database: TestDatabase;
let connection: DatabaseConnection;
/** Each test has its own keys, of which the first is the registrar's. */
let accounts: [LocalAccount, LocalAccount, LocalAccount];
let captured: ReturnType<typeof capturedLog>;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startSignInChain(), createDatabase()]);
  connection = connectDatabase(database.url, capturedLog("silent").log);
  client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337 });
  ({ contracts } = await readDeployment(chain.deploymentPath));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await chain.stop();
});
beforeEach(async () => {
  captured = capturedLog("info");
  accounts = [
    await relayerAccount(chain),
    await relayerAccount(chain),
    await relayerAccount(chain),
  ];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await chain.client.setAutomine(true);
});

interface Setting {
  readonly client: PublicClient;
  readonly store: TransactionStore;
  readonly accounts: readonly LocalAccount[];
  readonly timing: Partial<RelayerTiming>;
  /** Milliseconds for which the standing of a key is used. */
  readonly keptMs: number;
}

/** The relayer of one process. */
function newProcess(setting: Partial<Setting> = {}) {
  const { db, pool } = connection;
  const { log } = captured;
  const store = setting.store ?? relayerTransactionStore(db);
  const laneOf = (account: LocalAccount) => ({
    account: account.address,
    relayer: createRelayer({
      client: setting.client ?? client,
      account,
      store,
      lease: createLease(pool),
      log,
      clock: () => NOW,
      confirmations: 1,
      timing: { ...TIMING, ...setting.timing },
    }),
  });
  const [first, ...rest] = setting.accounts ?? accounts;
  if (first === undefined) throw new Error("A process needs a key.");
  const watch = createLaneWatch({
    client,
    contracts,
    accounts: [first, ...rest].map(({ address }) => address),
    log,
    keptMs: setting.keptMs ?? 60_000,
  });
  const relayer = createRelayerLanes({
    lanes: [laneOf(first), ...rest.map(laneOf)],
    store,
    watch,
  });
  closing.push(() => relayer.close());
  return { relayer, watch };
}

/** A call that any account may send, once for each nonce. */
function cancel(nonce: bigint): Call {
  const data = encodeFunctionData({ abi: soulRegistryAbi, functionName: "cancel", args: [nonce] });
  return { to: contracts.soulRegistry, data };
}
const build = (nonce: bigint) => async () => cancel(nonce);

const sentBy = (account: LocalAccount) => client.getTransactionCount({ address: account.address });
const sentCounts = () => Promise.all(accounts.map(sentBy));

/** The account that signed each operation's transaction. */
async function signers(): Promise<Record<string, LocalAccount | undefined>> {
  const rows = await connection.db.select().from(relayerTransaction);
  return Object.fromEntries(
    rows.map(({ operationId, sender }) => [
      operationId,
      accounts.find(({ address }) => address === sender),
    ]),
  );
}

class Crash extends Error {}
/** A client whose process dies instead of sending. */
const crashing = (): PublicClient => ({
  ...client,
  sendRawTransaction: () => Promise.reject(new Crash()),
});
/** A store whose process dies when it writes an end. */
const unsettled = (): TransactionStore => ({
  ...relayerTransactionStore(connection.db),
  settle: () => Promise.reject(new Crash()),
});

describe("what takes ids of the registry", () => {
  it("is signed by the registrar's key", () => {
    const register = registerOperation({ kind: "register" } as never, {} as never);
    const batch = batchOperation({} as never);
    expect([register.signer, batch.signer]).toEqual(["registrar", "registrar"]);
  });
});

describe("operations on several keys", () => {
  it("that predict ids are always sent by the registrar's key", async () => {
    const { relayer } = newProcess();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(ids.map((id, index) => relayer.run(id, build(BigInt(index)), "registrar")));
    const signed = await signers();
    for (const id of ids) expect(signed[id]).toBe(accounts[0]);
    expect(await sentCounts()).toEqual([3, 0, 0]);
  });

  it("are sent by the further keys, at the same time", async () => {
    await chain.client.setAutomine(false);
    const { relayer } = newProcess();
    const [one, two] = [randomUUID(), randomUUID()];
    const running = [relayer.run(one, build(1n)), relayer.run(two, build(2n))];
    const pending = async () => {
      const counts = accounts.map(({ address }) =>
        client.getTransactionCount({ address, blockTag: "pending" }),
      );
      return Promise.all(counts);
    };
    // Neither is mined: the second did not wait for the first.
    await vi.waitUntil(async () => (await pending()).join() === "0,1,1", SOON);
    await chain.client.mine({ blocks: 1 });
    await Promise.all(running);
    const signed = await signers();
    expect(new Set([signed[one], signed[two]])).toEqual(new Set(accounts.slice(1)));
  });

  it("are sent by the only key when there is no other", async () => {
    const [registrar] = accounts;
    const { relayer } = newProcess({ accounts: [registrar] });
    await relayer.run("alone", build(1n));
    expect((await signers()).alone).toBe(registrar);
  });

  it("are each sent once by two processes at the same time", async () => {
    const [one, two] = [newProcess(), newProcess()];
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const receipts = await Promise.all(
      ids.flatMap((id, index) =>
        [one, two].map(({ relayer }) => relayer.run(id, build(BigInt(index)))),
      ),
    );
    expect(new Set(receipts.map(({ transactionHash }) => transactionHash)).size).toBe(ids.length);
    expect(receipts.map(({ status }) => status)).toEqual(Array(16).fill("success"));
    const [registrar, ...rest] = await sentCounts();
    expect(registrar).toBe(0);
    expect(rest.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  });

  it("are refused once by the contract, without trying another key", async () => {
    const { relayer } = newProcess();
    const [, , second] = accounts;
    await relayer.run("first", build(7n));
    const calls = vi.fn(async () => cancel(7n));
    await expect(
      newProcess({ accounts: [second, accounts[1]] }).relayer.run("second", calls),
    ).rejects.toMatchObject({ type: "NONCE_USED" });
    expect(calls).toHaveBeenCalledTimes(1);
    expect((await signers()).second).toBeUndefined();
  });
});

describe("a process that dies", () => {
  // Whichever keys the next process prefers, the one that signed goes on.
  const deaths = {
    "before it sends": { client: crashing },
    "after it sent": { store: unsettled },
  };
  for (const [moment, parts] of Object.entries(deaths)) {
    for (const signer of ["any", "registrar"] as const) {
      it(`${moment} leaves a transaction of ${signer} key to the next process, which sends it once`, async () => {
        const [registrar, one, two] = accounts;
        const dying = newProcess({
          accounts: [registrar, one],
          client: "client" in parts ? parts.client() : client,
          store: "store" in parts ? parts.store() : relayerTransactionStore(connection.db),
        });
        const id = randomUUID();
        await expect(dying.relayer.run(id, build(1n), signer)).rejects.toThrow(Crash);

        const next = newProcess({ accounts: [registrar, two, one] });
        const never = vi.fn(build(2n));
        const receipt = await next.relayer.run(id, never, signer);
        expect(receipt.status).toBe("success");
        expect(never).not.toHaveBeenCalled();
        expect((await signers())[id]).toBe(signer === "any" ? one : registrar);
        expect(await sentCounts()).toEqual(signer === "any" ? [0, 1, 0] : [1, 0, 0]);
      });
    }
  }

  it("leaves transactions of several keys, which recovery sends", async () => {
    const dying = newProcess({ client: crashing() });
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const signersOf = ["registrar", "any", "any"] as const;
    const ends = await Promise.allSettled(
      ids.map((id, index) => dying.relayer.run(id, build(BigInt(index)), signersOf[index])),
    );
    expect(ends.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect(await sentCounts()).toEqual([0, 0, 0]);

    await newProcess().relayer.recover();
    expect(await sentCounts()).toEqual([1, 1, 1]);
  });

  it("with a key that the next process does not have leaves its operation alone", async () => {
    const [registrar, one, two] = accounts;
    const id = randomUUID();
    const dying = newProcess({ accounts: [registrar, one], client: crashing() });
    await expect(dying.relayer.run(id, build(1n))).rejects.toThrow(Crash);

    const without = newProcess({ accounts: [registrar, two] });
    await expect(without.relayer.run(id, build(1n))).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
      message: "Transactions cannot be sent now. Try again later.",
    });
    expect(await sentCounts()).toEqual([0, 0, 0]);
    // With the key it goes on.
    expect((await newProcess().relayer.run(id, build(1n))).status).toBe("success");
    expect(await sentCounts()).toEqual([0, 1, 0]);
  });
});

describe("a further key", () => {
  it("without money is not used, and is used when it has some", async () => {
    const [registrar, one] = accounts;
    await chain.client.setBalance({ address: one.address, value: 5n });
    const { relayer, watch } = newProcess({ accounts: [registrar, one] });
    await relayer.run("poor", build(1n));
    expect((await signers()).poor).toBe(registrar);
    const [, standing] = await watch.standings();
    expect(standing).toEqual({
      account: one.address,
      state: "no_money",
      reason: "it holds 5 wei",
      balance: 5n,
    });
    expect(captured.entries()).toContainEqual(
      expect.objectContaining({
        account: one.address,
        state: "no_money",
        msg: "a relayer's key cannot be used: it holds 5 wei",
      }),
    );

    await chain.client.setBalance({ address: one.address, value: parseEther("1") });
    await watch.refresh();
    await relayer.run("rich", build(2n));
    expect((await signers()).rich).toBe(one);
    expect(captured.entries().at(-1)).toMatchObject({
      account: one.address,
      msg: "a relayer's key can be used again",
    });
  });

  it("that loses a role after it was chosen is left, and the operation goes to another", async () => {
    const [, one, two] = accounts;
    const { relayer, watch } = newProcess();
    await watch.standings();
    await changeRole(chain, "revokeRole", ["chronicleAnchor", "ANCHOR_ROLE"], one.address);
    const word = keccak256("0x01");
    const anchor = vi.fn(async () => ({
      to: contracts.chronicleAnchor,
      data: encodeFunctionData({
        abi: chronicleAnchorAbi,
        functionName: "anchor",
        args: [1n, word, zeroHash, 1n, word],
      }),
    }));
    expect((await relayer.run("anchored", anchor)).status).toBe("success");
    expect(anchor).toHaveBeenCalledTimes(2);
    expect((await signers()).anchored).toBe(two);
    const standings = await watch.standings();
    expect(standings.map(({ state }) => state)).toEqual(["usable", "no_role", "usable"]);
    expect(standings[1]?.reason).toBe("it does not have ANCHOR_ROLE on chronicleAnchor");
    expect(await sentCounts()).toEqual([0, 0, 1]);
  });

  it("that cannot pay for one transaction leaves it to another key", async () => {
    const [registrar, one, two] = accounts;
    const { relayer, watch } = newProcess({ accounts: [registrar, one] });
    await watch.standings();
    await chain.client.setBalance({ address: one.address, value: 1n });
    const receipt = await relayer.run("unpaid", build(1n));
    expect(receipt.status).toBe("success");
    expect((await signers()).unpaid).toBe(registrar);
    expect(await sentBy(two)).toBe(0);
  });

  it("is not used before the node has answered", async () => {
    const [registrar, one] = accounts;
    const down = createChainClient({ rpcUrl: "http://127.0.0.1:1", chainId: 31337 });
    const watch = createLaneWatch({
      client: down,
      contracts,
      accounts: [registrar.address, one.address],
      log: captured.log,
    });
    expect((await watch.standings()).map(({ state, balance }) => [state, balance])).toEqual([
      ["unknown", null],
      ["unknown", null],
    ]);
  });
});

describe("a transaction of another key", () => {
  it("is never replaced with this one", async () => {
    const [registrar, one] = accounts;
    const id = randomUUID();
    const { relayer: dying } = newProcess({ accounts: [one], client: crashing() });
    await expect(dying.run(id, build(1n))).rejects.toThrow(Crash);
    const before = await rowOf(id);
    const { relayer } = newProcess({ accounts: [registrar] });
    await expect(relayer.run(id, build(1n))).rejects.toMatchObject({ type: "CHAIN_UNAVAILABLE" });
    expect(await rowOf(id)).toEqual(before);
  });
});

async function rowOf(id: string): Promise<{ readonly raw: Hex } | undefined> {
  const { rows } = await connection.db.execute<{ raw: Hex }>(
    sql`select * from app.relayer_transaction where operation_id = ${id}`,
  );
  return rows[0];
}

it.skipIf(!hasPromtool)(
  "an account that transactions empty fires an alert before it is empty",
  async () => {
    const [registrar] = accounts;
    await chain.client.setBalance({ address: registrar.address, value: parseEther("0.2") });
    const { relayer, watch } = newProcess({ accounts: [registrar], keptMs: 0 });
    let nonce = 0n;
    const firing = await alertsOf({
      sources: { relayers: watch.standings },
      async work() {
        nonce += 1n;
        await relayer.run(randomUUID(), build(nonce));
        await watch.refresh();
      },
    });
    expect(firing).toEqual(["RelayerBalanceFalling"]);
  },
);
