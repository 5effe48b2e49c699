import { randomUUID } from "node:crypto";
import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import type { Hex } from "viem";
import { bytesToHex, keccak256, stringToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BatchConflictError } from "../../../../../api/features/chronicles/batches/batches.ts";
import { RevertedError } from "../../../../../api/kernel/errors.ts";
import type { Lease } from "../../../../../api/platform/chain/transactions.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../../api/platform/database/connect.ts";
import { chronicleAnchorAbi } from "../../../../../protocol/generated/abi.ts";
import { chronicleRootOf } from "../../../../../protocol/index.ts";
import { stackAccounts } from "../../../../../scripts/local-stack/accounts.ts";
import {
  type BatchWorld,
  batchProcess,
  createKeptTables,
  entryOf,
  keptEvents,
  queueEntry,
  sentJobs,
} from "../../../../fixtures/chronicles.ts";
import { createDatabase, type TestDatabase } from "../../../../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../../../../fixtures/sign-in-chain.ts";
import { capturedLog } from "../../../helpers.ts";

// The batch job on a real chain and a real database. Its process is killed at every step.

let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let snapshot: Hex;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  chain = await startSignInChain();
});
afterAll(() => chain?.stop());

/** A chain without batches and a database without chronicles for each test. */
beforeEach(async () => {
  snapshot = await chain.client.snapshot();
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
  await createKeptTables(connection);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await chain.client.setAutomine(true);
  await connection.close();
  await database.drop();
  await chain.client.revert({ id: snapshot });
});

function newProcess(world: Partial<BatchWorld> = {}) {
  const process = batchProcess({ chain, connection, ...world });
  closing.push(process.close);
  return process;
}

async function queue(count: number, tokenId = 1n) {
  for (let index = 0; index < count; index += 1) {
    await queueEntry(connection, entryOf(tokenId + BigInt(index % 3)));
  }
}

const anchorRead = <Name extends "batchCount" | "rootOf" | "verify">(
  functionName: Name,
  args: readonly unknown[] = [],
) =>
  chain.client.readContract({
    address: chain.contracts.chronicleAnchor,
    abi: chronicleAnchorAbi,
    functionName,
    args,
  } as never) as Promise<unknown>;

const anchoredEvents = () =>
  chain.client.getContractEvents({
    address: chain.contracts.chronicleAnchor,
    abi: chronicleAnchorAbi,
    eventName: "BatchAnchored",
    fromBlock: 0n,
    strict: true,
  });

async function batchRows() {
  const { rows } = await connection.pool.query(
    "select id::int, stage, leaf_count, root, tx_hash, failures, archive_id from app.chronicle_batch order by id",
  );
  return rows;
}

/** Chronicles in the database that are in no batch. */
async function queuedCount(): Promise<number> {
  const { rows } = await connection.pool.query(
    "select count(*)::int as queued from app.chronicle_state where batch_id is null",
  );
  return rows[0].queued;
}

/**
 * Invariants after every crash. Every batched chronicle is in exactly one anchored batch, and its
 * proof holds on chain and off chain. Batches are numbered without a gap, and each was anchored
 * once. The archived list gives the batch's root. Webhooks were notified of each confirmed
 * chronicle once.
 */
async function assertSound(expected: { batched: number; batches?: number }) {
  const events = await anchoredEvents();
  const batches = await batchRows();
  const ids = batches.map(({ id }) => id);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  if (expected.batches !== undefined) expect(ids).toHaveLength(expected.batches);
  expect(events.map(({ args }) => Number(args.batchId))).toEqual(ids);
  expect(events.map(({ args }) => args.root)).toEqual(batches.map(({ root }) => root));
  expect(await anchorRead("batchCount")).toBe(BigInt(ids.length));

  const { rows } = await connection.pool.query(
    `select state.batch_id::int as batch, state.proof, content.leaf, state.leaf as copy
     from app.chronicle_state state join app.chronicle content using (token_id, chronicle_id)
     where batch_id is not null`,
  );
  expect(rows).toHaveLength(expected.batched);
  expect(new Set(rows.map(({ leaf }) => bytesToHex(leaf))).size).toBe(expected.batched);
  const { archive } = newProcess();
  for (const { id, root, leaf_count, archive_id } of batches) {
    const members = rows.filter(({ batch }) => batch === id);
    expect(members).toHaveLength(leaf_count);
    const list = JSON.parse(new TextDecoder().decode((await archive.read(archive_id))?.data)) as {
      leaves: [Hex, string, string, string][];
      batchId: string;
      leafCount: number;
    };
    expect(list.batchId).toBe(String(id));
    expect(SimpleMerkleTree.of(list.leaves.map(([leaf]) => leaf)).root).toBe(root);
    expect(new Set(list.leaves.map(([leaf]) => leaf))).toEqual(
      new Set(members.map(({ leaf }) => bytesToHex(leaf))),
    );
    for (const { leaf, copy, proof } of members) {
      const hashes = Array.from({ length: proof.length / 32 }, (_, step) =>
        bytesToHex(proof.subarray(step * 32, step * 32 + 32)),
      );
      expect(bytesToHex(copy)).toBe(bytesToHex(leaf));
      expect(chronicleRootOf(bytesToHex(leaf), hashes)).toBe(root);
      expect(await anchorRead("verify", [BigInt(id), bytesToHex(leaf), hashes])).toBe(true);
    }
  }
  const notices = await connection.pool.query("select key from test_event");
  expect(notices.rows).toHaveLength(expected.batched);
  expect(new Set(notices.rows.map(({ key }) => key)).size).toBe(expected.batched);
}

class Killed extends Error {}

/**
 * Ends a process at its `at`-th call of a port: right before the call has an effect, or right
 * after.
 */
function killer(at: number, moment: "before" | "after") {
  let calls = 0;
  let dead = false;
  const around = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get(target, key) {
        const member = Reflect.get(target, key) as unknown;
        if (typeof member !== "function" || key === "anchorCall" || key === "close") return member;
        return (...args: unknown[]) => {
          // Later calls of a dead process have no effect.
          if (dead) throw new Killed(`${name}.${String(key)} of a dead process`);
          calls += 1;
          const isLast = calls === at;
          if (isLast && moment === "before") {
            dead = true;
            throw new Killed(`before ${name}.${String(key)}`);
          }
          const result: unknown = Reflect.apply(member, target, args);
          if (!isLast || key === "members") return result;
          return Promise.resolve(result).then(() => {
            dead = true;
            throw new Killed(`after ${name}.${String(key)}`);
          });
        };
      },
    });
  return { around, calls: () => calls };
}

describe("a batch", () => {
  it("anchors and confirms the queued chronicles in one transaction", async () => {
    await queue(7);
    expect(await newProcess().run()).toEqual({ anchored: [1n], confirmed: [1n], waiting: 0 });
    expect(await batchRows()).toEqual([
      {
        id: 1,
        stage: "confirmed",
        leaf_count: 7,
        failures: 0,
        root: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        archive_id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      },
    ]);
    await assertSound({ batched: 7, batches: 1 });
    const [event] = await anchoredEvents();
    const [batch] = await batchRows();
    expect(event?.args).toEqual({
      batchId: 1n,
      root: batch.root,
      previousRoot: `0x${"0".repeat(64)}`,
      leafCount: 7n,
      leavesArchiveId: `0x${Buffer.from(batch.archive_id, "base64url").toString("hex")}`,
    });
  });

  it("costs at most 60 gas per record at a thousand", async () => {
    await queue(20);
    await newProcess().run();
    await queue(20);
    await newProcess().run();
    // The cost does not depend on the number of leaves. The second batch costs what each hourly
    // batch costs.
    const [, second] = await anchoredEvents();
    const { gasUsed } = await chain.client.getTransactionReceipt({
      hash: second?.transactionHash as Hex,
    });
    expect(gasUsed).toBeLessThanOrEqual(60_000n);
  });

  it("is not created when the queue is empty", async () => {
    expect(await newProcess().run()).toEqual({ anchored: [], confirmed: [], waiting: 0 });
    await assertSound({ batched: 0, batches: 0 });
  });

  it("leaves a chronicle that arrives late to the next batch", async () => {
    await queue(3);
    let isLate = true;
    const around = <Port extends object>(name: string, port: Port): Port =>
      name !== "archive"
        ? port
        : ({
            ...port,
            archive: async (content: { data: Uint8Array; contentType: string }) => {
              if (isLate) await queue(1, 9n);
              isLate = false;
              return (port as { archive(content: object): Promise<string> }).archive(content);
            },
          } as Port);
    await newProcess({ around }).run();
    expect(await queuedCount()).toBe(1);
    await assertSound({ batched: 3, batches: 1 });
    expect(await newProcess().run()).toEqual({ anchored: [2n], confirmed: [2n], waiting: 0 });
    await assertSound({ batched: 4, batches: 2 });
  });

  it("is followed at once by another batch when more is queued than fits", async () => {
    await queue(5);
    const report = await newProcess({ maxLeaves: 2 }).run();
    expect(report).toEqual({ anchored: [1n, 2n, 3n], confirmed: [1n, 2n, 3n], waiting: 0 });
    await assertSound({ batched: 5, batches: 3 });
  });

  it("notifies only agents with a webhook", async () => {
    await queue(5);
    const events = { ...keptEvents, receivers: async () => new Set([2n]) };
    await newProcess({ events }).run();
    const { rows } = await connection.pool.query("select key from test_event order by key");
    expect(rows).toEqual([{ key: "chronicle:2:1" }, { key: "chronicle:2:2" }]);
    const batches = await connection.pool.query(
      "select announced_at is not null as announced, announced_seq = (select max(seq) from app.chronicle_state) as all from app.chronicle_batch",
    );
    expect(batches.rows).toEqual([{ announced: true, all: true }]);
  });

  it("that an earlier version opened is built of its own members", async () => {
    await queue(3);
    await connection.pool.query(
      `insert into app.chronicle_batch (id, stage, leaf_count, created_at) values (1, 'open', 3, now())`,
    );
    await connection.pool.query("update app.chronicle_state set batch_id = 1");
    await queue(2);
    expect(await newProcess().run()).toEqual({
      anchored: [1n, 2n],
      confirmed: [1n, 2n],
      waiting: 0,
    });
    expect((await batchRows()).map(({ leaf_count }) => leaf_count)).toEqual([3, 2]);
    await assertSound({ batched: 5, batches: 2 });
  });

  it("is not started while the contract has batches that the database does not know", async () => {
    await queue(1);
    await newProcess().run();
    await connection.pool.query("update app.chronicle_state set batch_id = null, proof = null");
    await connection.pool.query("delete from app.chronicle_batch");
    await queue(1);
    await expect(newProcess().run()).rejects.toEqual(
      new BatchConflictError(
        "The contract has 1 batches, the database 0: nothing can be added until they agree.",
      ),
    );
    expect(await batchRows()).toEqual([]);
  });
});

describe("a process that is killed", () => {
  for (const moment of ["before", "after"] as const) {
    it(`loses nothing and doubles nothing when killed ${moment} any step`, async () => {
      let batched = 0;
      let batches = 0;
      for (let at = 1; ; at += 1) {
        await queue(2);
        batched += 2;
        const kill = killer(at, moment);
        const outcome = await newProcess(kill)
          .run()
          .then(
            () => "done" as const,
            (error: unknown) => error,
          );
        const isOver = outcome === "done" && kill.calls() < at;
        await newProcess().run();
        batches += 1;
        expect(await queuedCount()).toBe(0);
        expect(await anchorRead("batchCount")).toBe(BigInt(batches));
        if (isOver) {
          // The last step was reached, and the process was killed once at each earlier step.
          expect(at).toBeGreaterThan(15);
          break;
        }
      }
      await assertSound({ batched, batches });
    }, 240_000);
  }
});

describe("two processes at once", () => {
  it("create one batch of the queued chronicles", async () => {
    await queue(6);
    const reports = await Promise.all([newProcess().run(), newProcess().run()]);
    expect(reports.flatMap(({ anchored }) => anchored)).toEqual([1n]);
    await assertSound({ batched: 6, batches: 1 });
  });

  it("do no harm when both hold the lease", async () => {
    const everybody: Lease = { hold: (_name, _waitMs, work) => work(async () => {}) };
    for (let round = 0; round < 4; round += 1) {
      await queue(3);
      await Promise.allSettled([
        newProcess({ lease: everybody }).run(),
        newProcess({ lease: everybody }).run(),
      ]);
    }
    await newProcess().run();
    expect(await queuedCount()).toBe(0);
    await assertSound({ batched: 12 });
  });
});

describe("a transaction that fails", () => {
  const role = keccak256(stringToHex("ANCHOR_ROLE"));

  async function setRole(functionName: "grantRole" | "revokeRole", priority: bigint) {
    const { deployer } = { deployer: (await chain.client.getAddresses())[0] as Hex };
    return chain.client.writeContract({
      account: deployer,
      address: chain.contracts.chronicleAnchor,
      abi: chronicleAnchorAbi,
      functionName,
      args: [role, stackAccounts().relayer.address],
      maxPriorityFeePerGas: priority,
      maxFeePerGas: priority * 2n,
    });
  }

  it("is followed by another transaction for the same batch", async () => {
    await queue(3);
    await chain.client.setAutomine(false);
    const running = newProcess().run();
    running.catch(() => {});
    const pending = async () =>
      (await chain.client.getBlock({ blockTag: "pending", includeTransactions: true })).transactions
        .length;
    await expect.poll(pending, { timeout: 20_000 }).toBe(1);
    await setRole("revokeRole", 10n ** 12n);
    await chain.client.mine({ blocks: 1 });
    await expect(running).rejects.toBeInstanceOf(RevertedError);
    const [failed] = await batchRows();
    expect(failed).toMatchObject({ id: 1, stage: "built", failures: 1, tx_hash: null });

    await chain.client.setAutomine(true);
    await setRole("grantRole", 10n ** 10n);
    await queue(2);
    expect(await newProcess().run()).toEqual({
      anchored: [1n, 2n],
      confirmed: [1n, 2n],
      waiting: 0,
    });
    expect((await batchRows())[0]).toMatchObject({ id: 1, root: failed.root, leaf_count: 3 });
    await assertSound({ batched: 5, batches: 2 });
  });
});

describe("a block removed by a reorganization", () => {
  it("removes its batch, which is anchored again", async () => {
    await queue(3);
    const confirmations = 3;
    const before = await chain.client.snapshot();
    expect(await newProcess({ confirmations }).run()).toEqual({
      anchored: [1n],
      confirmed: [],
      waiting: 1,
    });
    const [first] = await batchRows();
    expect(first.stage).toBe("anchored");
    expect((await sentJobs(connection)).filter(({ name }) => name === "chronicles.follow")).toEqual(
      [
        expect.objectContaining({
          name: "chronicles.follow",
          options: expect.objectContaining({ singletonKey: "unconfirmed" }),
        }),
        expect.anything(),
      ],
    );

    await chain.client.revert({ id: before });
    await chain.client.mine({ blocks: 2 });
    expect(await anchorRead("batchCount")).toBe(0n);
    // In between, a client reads that the chronicle is not on chain.
    const stuck = <Port extends object>(name: string, port: Port): Port =>
      name === "relayer" ? ({ ...port, run: () => Promise.reject(new Killed()) } as Port) : port;
    await expect(newProcess({ confirmations, around: stuck }).follow()).rejects.toBeInstanceOf(
      Killed,
    );
    expect((await batchRows())[0]).toMatchObject({ stage: "built", tx_hash: null });
    expect(await newProcess({ confirmations }).follow()).toEqual({
      anchored: [1n],
      confirmed: [],
      waiting: 1,
    });
    expect((await batchRows())[0]).toMatchObject({ stage: "anchored", root: first.root });

    await chain.client.mine({ blocks: 2 });
    expect(await newProcess({ confirmations }).follow()).toEqual({
      anchored: [],
      confirmed: [1n],
      waiting: 0,
    });
    await assertSound({ batched: 3, batches: 1 });
  });
});

describe("the content of a chronicle", () => {
  it("cannot be changed or removed by any database role", async () => {
    await queue(1);
    for (const statement of [
      "update app.chronicle set category = 'other'",
      "delete from app.chronicle",
      "truncate app.chronicle cascade",
    ]) {
      const verb = statement.slice(0, statement.indexOf(" ")).toUpperCase();
      await expect(connection.pool.query(statement)).rejects.toMatchObject({
        code: "42501",
        message: `Chronicles are append-only: ${verb} on app.chronicle is refused.`,
      });
    }
    const { rows } = await connection.pool.query("select category from app.chronicle");
    expect(rows).toEqual([{ category: "achievement" }]);
  });

  it("is added once per operation, and ids have no gap", async () => {
    const operationKey = randomUUID();
    const same = await Promise.all(
      Array.from({ length: 4 }, () => queueEntry(connection, entryOf(5n, { operationKey }))),
    );
    expect(new Set(same.map(({ chronicleId }) => chronicleId))).toEqual(new Set([1n]));
    const many = await Promise.all(
      Array.from({ length: 8 }, () => queueEntry(connection, entryOf(5n))),
    );
    expect(many.map(({ chronicleId }) => Number(chronicleId)).sort((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });
});
