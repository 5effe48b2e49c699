import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { Lease } from "../../../../api/platform/chain/transactions.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { alignmentRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { storageIdOf } from "../../../../protocol/index.ts";
import { openSnapshot, type SnapshotWorld, snapshotProcess } from "../../../fixtures/alignment.ts";
import { createKeptTables, sentJobs } from "../../../fixtures/chronicles.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { capturedLog } from "../../helpers.ts";
import { newAccount } from "../sign-in/harness.ts";

// The snapshot job on a real chain and a real database. Its process is killed at every step.

let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let before: Hex;
const closing: (() => Promise<void>)[] = [];

const SOULS = [1n, 2n, 3n];

beforeAll(async () => {
  chain = await startSignInChain();
  for (const tokenId of SOULS) await chain.registerSoul(newAccount(), `agent-number-${tokenId}`);
});
afterAll(() => chain?.stop());

beforeEach(async () => {
  before = await chain.client.snapshot();
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
  await createKeptTables(connection);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await connection.close();
  await database.drop();
  await chain.client.revert({ id: before });
});

function newProcess(world: Partial<SnapshotWorld> = {}) {
  const process = snapshotProcess({ chain, connection, scoreOf: () => 80, ...world });
  closing.push(process.close);
  return process;
}

const openAll = async (epoch?: number) => {
  for (const tokenId of SOULS) await openSnapshot(connection, tokenId, epoch);
};

const recordedEvents = () =>
  chain.client.getContractEvents({
    address: chain.contracts.alignmentRegistry,
    abi: alignmentRegistryAbi,
    eventName: "AlignmentRecorded",
    fromBlock: 0n,
    strict: true,
  });

const snapshotRows = async () =>
  (
    await connection.pool.query(
      `select token_id::int as token, state, score, archive_id, content, previous_score, drop_reason
       from app.alignment_snapshot order by created_at, id`,
    )
  ).rows;

/** Every snapshot was archived and recorded once, and its event names its archive. */
async function assertSound(count: number): Promise<void> {
  const rows = await snapshotRows();
  expect(rows.map(({ state }) => state)).toEqual(Array(count).fill("recorded"));
  const events = await recordedEvents();
  expect(events.map(({ args }) => storageIdOf(args.archiveId)).toSorted()).toEqual(
    rows.map(({ archive_id }) => archive_id).toSorted(),
  );
  const items = await connection.pool.query("select count(*)::int as items from app.storage_item");
  expect(items.rows).toEqual([{ items: count }]);
}

class Killed extends Error {}

/** Ends a process at its `at`-th call of a port: right before it has an effect, or right after. */
function killer(at: number, moment: "before" | "after") {
  let calls = 0;
  let dead = false;
  const around = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get(target, key) {
        const member = Reflect.get(target, key) as unknown;
        if (typeof member !== "function" || key === "recordCall" || key === "close") return member;
        return async (...args: unknown[]) => {
          // Later calls of a dead process have no effect.
          if (dead) throw new Killed(`${name}.${String(key)} of a dead process`);
          calls += 1;
          const isLast = calls === at;
          if (isLast && moment === "before") {
            dead = true;
            throw new Killed(`before ${name}.${String(key)}`);
          }
          const result: unknown = await Reflect.apply(member, target, args);
          if (!isLast) return result;
          dead = true;
          throw new Killed(`after ${name}.${String(key)}`);
        };
      },
    });
  return { around, calls: () => calls };
}

describe("a snapshot", () => {
  it("is computed, archived and recorded in one transaction with others", async () => {
    await openAll();
    await newProcess({ scoreOf: (tokenId) => 80 + Number(tokenId) }).run();
    await assertSound(3);
    const events = await recordedEvents();
    expect(new Set(events.map(({ transactionHash }) => transactionHash)).size).toBe(1);
    expect(events.map(({ args }) => [args.tokenId, args.score, args.epoch])).toEqual([
      [1n, 81, 1],
      [2n, 82, 1],
      [3n, 83, 1],
    ]);
    // Permanent storage has the content.
    expect((await snapshotRows()).map(({ content }) => content)).toEqual([null, null, null]);
  });

  it("notifies webhooks of a score that moved by 5 or more, and not of a first one", async () => {
    for (const score of [80, 84, 79, 74]) {
      await openSnapshot(connection, 1n);
      await newProcess({ scoreOf: () => score }).run();
    }
    const { rows } = await connection.pool.query(
      "select payload -> 'data' ->> 'score' as score, payload -> 'data' ->> 'previousScore' as previous from test_event",
    );
    expect(rows).toEqual([
      { score: "79", previous: "84" },
      { score: "74", previous: "79" },
    ]);
  });

  it("is dropped, and holds up no other, when the registry refuses it", async () => {
    await openSnapshot(connection, 1n);
    await openSnapshot(connection, 2n, 7);
    await openSnapshot(connection, 99n);
    await newProcess().run();
    expect(
      (await snapshotRows()).map(({ token, state, drop_reason }) => [token, state, drop_reason]),
    ).toEqual([
      [1, "recorded", null],
      [2, "dropped", "The soul was resealed."],
      [99, "dropped", "The registry does not know this soul."],
    ]);
    expect((await recordedEvents()).map(({ args }) => args.tokenId)).toEqual([1n]);
  });

  it("waits until the block that it scores is deep enough, and is computed again when it is removed", async () => {
    await openSnapshot(connection, 1n);
    const fork = await chain.client.snapshot();
    await chain.client.mine({ blocks: 1 });
    await newProcess({ confirmations: 3 }).run();
    expect((await snapshotRows())[0]).toMatchObject({ state: "computed" });
    expect(await sentJobs(connection)).toContainEqual(
      expect.objectContaining({
        name: "alignment.snapshots",
        options: expect.objectContaining({ singletonKey: "open" }),
      }),
    );
    await chain.client.revert({ id: fork });
    await chain.client.mine({ blocks: 1, interval: 77 });
    await chain.client.mine({ blocks: 5 });
    await newProcess({ confirmations: 1 }).run();
    const [row] = await snapshotRows();
    expect(row).toMatchObject({ state: "recorded" });
    const { rows } = await connection.pool.query(
      "select scored_block::int as block, scored_hash as hash from app.alignment_snapshot",
    );
    const { hash } = await chain.client.getBlock({ blockNumber: BigInt(rows[0].block) });
    expect(rows[0].hash).toBe(hash);
  });
});

describe("a snapshot that is under way for long", () => {
  const passHours = async (hours: number) => {
    await chain.client.increaseTime({ seconds: hours * 3600 });
    await chain.client.mine({ blocks: 1 });
  };
  const noRelayer = <Port extends object>(name: string, port: Port): Port =>
    name === "relayer"
      ? Object.assign(Object.create(port), {
          run: async () => Promise.reject(new ApiError("CHAIN_UNAVAILABLE")),
        })
      : port;
  const scoredBlocks = async () =>
    (
      await connection.pool.query(
        "select scored_block::int as block from app.alignment_snapshot order by token_id",
      )
    ).rows.map(({ block }) => block);

  it("is scored again when an hour passed before it could be archived", async () => {
    await openSnapshot(connection, 1n);
    await newProcess({ confirmations: 3, scoreOf: () => 90 }).run();
    const [first] = await scoredBlocks();
    await passHours(2);
    await newProcess({ scoreOf: () => 20 }).run();
    await newProcess({ scoreOf: () => 20 }).run();
    expect((await recordedEvents()).map(({ args }) => args.score)).toEqual([20]);
    expect((await scoredBlocks())[0]).toBeGreaterThan(first);
  });

  it("is scored again when an hour passed before its batch could be sent", async () => {
    await openAll();
    await expect(newProcess({ around: noRelayer, scoreOf: () => 90 }).run()).rejects.toMatchObject({
      type: "CHAIN_UNAVAILABLE",
    });
    expect((await snapshotRows()).map(({ state }) => state)).toEqual(Array(3).fill("archived"));
    await passHours(2);
    await newProcess({ scoreOf: () => 20 }).run();
    expect((await recordedEvents()).map(({ args }) => args.score)).toEqual([20, 20, 20]);
  });

  it("is dropped when its soul became invalid before its batch could be sent", async () => {
    await openAll();
    await expect(newProcess({ around: noRelayer }).run()).rejects.toThrow();
    const endOf = (tokenId: bigint) => (tokenId === 2n ? "The soul is burned." : null);
    await newProcess({ endOf }).run();
    expect((await recordedEvents()).map(({ args }) => args.tokenId)).toEqual([1n, 3n]);
    expect((await snapshotRows()).map(({ state, drop_reason }) => [state, drop_reason])).toEqual([
      ["recorded", null],
      ["dropped", "The soul is burned."],
      ["recorded", null],
    ]);
  });

  it("leaves an empty batch behind when nothing of it can be recorded", async () => {
    await openAll();
    await expect(newProcess({ around: noRelayer }).run()).rejects.toThrow();
    await newProcess({ endOf: () => "The soul is suspended." }).run();
    expect(await recordedEvents()).toEqual([]);
    const { rows } = await connection.pool.query("select stage, tx_hash from app.alignment_batch");
    expect(rows).toEqual([{ stage: "confirmed", tx_hash: null }]);
  });
});

describe("a snapshot that rests on recent events", () => {
  it("is computed again when one of them is not in the chain", async () => {
    await openSnapshot(connection, 1n);
    const [log] = await chain.client.getLogs({
      address: chain.contracts.soulRegistry,
      fromBlock: 0n,
    });
    if (log === undefined) throw new Error("This test expects an event.");
    const { logIndex, transactionHash } = log;
    const place = { blockNumber: log.blockNumber.toString(), transactionHash, logIndex };
    const gone = { ...place, transactionHash: `0x${"ab".repeat(32)}` };
    await newProcess({ placesOf: () => [place, gone], scoreOf: () => 99 }).run();
    expect((await snapshotRows()).map(({ state }) => state)).toEqual(["computing"]);
    await newProcess({ placesOf: () => [place] }).run();
    expect((await recordedEvents()).map(({ args }) => args.score)).toEqual([80]);
  });
});

describe("one failure in a run", () => {
  /** Calls of one method of a port fail while `isBad` says so of their first argument. */
  const failing =
    (port: string, method: string, isBad: (argument: never) => boolean, failure: Error) =>
    <Port extends object>(name: string, target: Port): Port =>
      name !== port
        ? target
        : new Proxy(target, {
            get(of, key) {
              const member = Reflect.get(of, key) as unknown;
              if (key !== method || typeof member !== "function") return member;
              return async (...args: unknown[]) => {
                if (isBad(args[0] as never)) throw failure;
                return Reflect.apply(member, of, args) as unknown;
              };
            },
          });

  it("of an item that cannot be archived holds up no other, and is thrown at the end", async () => {
    await openAll();
    const { rows } = await connection.pool.query(
      "select id, token_id as token from app.alignment_snapshot order by created_at, id",
    );
    const isFirst = ({ data }: { data: Uint8Array }) =>
      new TextDecoder().decode(data).includes(rows[0].id);
    const outage = new ApiError("STORAGE_UNAVAILABLE");
    const around = failing("archive", "archive", isFirst as never, outage);
    await expect(newProcess({ around }).run()).rejects.toBe(outage);
    expect((await snapshotRows()).map(({ state }) => state)).toEqual([
      "computed",
      "recorded",
      "recorded",
    ]);
    await newProcess().run();
    expect((await recordedEvents()).at(-1)?.args.tokenId).toBe(BigInt(rows[0].token));
    await assertSound(3);
  });

  it("of a batch holds up no other, and is thrown at the end", async () => {
    await openAll();
    const outage = new ApiError("CHAIN_UNAVAILABLE");
    let failed = "";
    const isFirst = (operation: string) => {
      failed ||= operation;
      return operation === failed;
    };
    const around = failing("relayer", "run", isFirst as never, outage);
    await expect(newProcess({ around, batchSize: 1 }).run()).rejects.toBe(outage);
    expect(await recordedEvents()).toHaveLength(2);
    await newProcess({ batchSize: 1 }).run();
    await assertSound(3);
  });

  it("of one agent whose facts cannot be read in time drops it alone", async () => {
    await openAll();
    const cancelled = Object.assign(new Error("canceling statement"), { code: "57014" });
    const around = failing(
      "scoring",
      "score",
      ((open: readonly { tokenId: bigint }[]) =>
        open.some(({ tokenId }) => tokenId === 2n)) as never,
      new Error("Failed query", { cause: cancelled }),
    );
    await newProcess({ around }).run();
    expect(
      (await snapshotRows()).map(({ token, state, drop_reason }) => [token, state, drop_reason]),
    ).toEqual([
      [1, "recorded", null],
      [2, "dropped", "Its facts are too many to be read in time."],
      [3, "recorded", null],
    ]);
  });
});

describe("a process that is killed", () => {
  for (const moment of ["before", "after"] as const) {
    it(`records each snapshot once when killed ${moment} any step`, async () => {
      let count = 0;
      for (let at = 1; ; at += 1) {
        await openAll();
        count += SOULS.length;
        const kill = killer(at, moment);
        const outcome = await newProcess(kill)
          .run()
          .then(
            () => "done" as const,
            (error: unknown) => error,
          );
        const isOver = outcome === "done" && kill.calls() < at;
        await newProcess().run();
        expect(await recordedEvents()).toHaveLength(count);
        if (isOver) {
          // The last step was reached, and the process was killed once at each earlier step.
          expect(at).toBeGreaterThan(15);
          break;
        }
      }
      await assertSound(count);
    }, 300_000);
  }
});

describe("two processes at once", () => {
  it("record each snapshot once, also when both hold the lease", async () => {
    const everybody: Lease = { hold: (_name, _waitMs, work) => work(async () => {}) };
    for (let round = 0; round < 3; round += 1) {
      await openAll();
      await Promise.allSettled([
        newProcess({ lease: everybody }).run(),
        newProcess({ lease: everybody }).run(),
      ]);
    }
    await newProcess().run();
    await assertSound(9);
  });
});

describe("a request for a snapshot", () => {
  it("is one while another of the agent is under way", async () => {
    const [first, second] = await Promise.all([
      openSnapshot(connection, 1n),
      openSnapshot(connection, 1n),
    ]);
    expect(second.id).toBe(first.id);
    expect(await snapshotRows()).toHaveLength(1);
  });

  it("replaces an unfinished one of an earlier epoch", async () => {
    const first = await openSnapshot(connection, 1n, 1);
    const second = await openSnapshot(connection, 1n, 2);
    expect(second.id).not.toBe(first.id);
    expect((await snapshotRows()).map(({ state, drop_reason }) => [state, drop_reason])).toEqual([
      ["dropped", "The soul was resealed."],
      ["computing", null],
    ]);
  });
});
