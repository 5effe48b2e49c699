import { once } from "node:events";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openTransactions } from "../../../../api/platform/chain/transactions.store.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { listReplicas } from "../../../../api/platform/database/replicas.store.ts";
import { openJobs } from "../../../../api/platform/jobs/queue.ts";
import { queueAges } from "../../../../api/platform/jobs/report.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { lastAudit, recordAudit } from "../../../../api/platform/storage/audits.store.ts";
import { jobClock } from "../../../fixtures/job-clock.ts";
import { TEST_RULES } from "../../../fixtures/job-rules.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// What the gauges read from PostgreSQL.

const log = createLog("silent");
const NOW = new Date("2026-03-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, log);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

it("counts the sender's open transactions, and ages the oldest", async () => {
  const sender = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
  const other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const read = () => openTransactions(connection.db, [sender], NOW);
  expect(await read()).toEqual({ count: 0, oldestSeconds: 0 });
  const rows = [
    [sender, 1, "mined", 900],
    [sender, 2, "open", 90],
    [sender, 3, "open", 30],
    [other, 1, "open", 5000],
  ] as const;
  for (const [from, nonce, status, age] of rows) {
    await connection.db.execute(sql`insert into app.relayer_transaction
      (operation_id, sender, nonce, raw, hashes, status, gas_limit, max_fee_per_gas,
        max_priority_fee_per_gas, created_at, updated_at)
      values (${`${from}:${nonce}`}, ${from}, ${nonce}, '0x', '{}', ${status}, 1, 1, 1,
        ${ago(age)}, ${NOW})`);
  }
  expect(await read()).toEqual({ count: 2, oldestSeconds: 90 });
});

it("ages the oldest due job of each queue", async () => {
  const clock = jobClock();
  const jobs = await openJobs({
    databaseUrl: database.url,
    log,
    rules: TEST_RULES,
    purpose: "send",
    clock,
  });
  try {
    const now = () => new Date(clock.now());
    const due = new Date(clock.now() - 50_000);
    await connection.db.transaction(async (tx) => {
      await jobs.send(tx, "test.once", { key: "late" }, { startAfter: due });
      const later = new Date(clock.now() - 20_000);
      await jobs.send(tx, "test.once", { key: "later" }, { startAfter: later });
      const startAfter = new Date(clock.now() + 3_600_000);
      await jobs.send(tx, "test.round", {}, { startAfter });
    });
    expect(await queueAges(connection.db, now())).toEqual([
      { queue: "test.once", seconds: 50 },
      { queue: "test.round", seconds: 0 },
    ]);
  } finally {
    await jobs.close(1_000);
  }
});

it("knows the audit that ended last", async () => {
  expect(await lastAudit(connection.db)).toBeNull();
  const ended = (seconds: number, problems: number) =>
    recordAudit(connection.db, {
      startedAt: ago(seconds + 60),
      finishedAt: ago(seconds),
      items: 5,
      problems,
    });
  await ended(10, 3);
  await ended(500, 0);
  expect(await lastAudit(connection.db)).toMatchObject({ finishedAt: ago(10), problems: 3 });
});

describe("replicas", () => {
  /** Streams the server's log as a replica does, and answers with positions in it. */
  async function startReplica(name: string) {
    const client = new pg.Client({
      connectionString: database.url,
      application_name: name,
      replication: "true",
    } as pg.ClientConfig);
    await client.connect();
    const { rows } = await client.query("IDENTIFY_SYSTEM");
    const start = rows[0].xlogpos as string;
    const wire = (client as unknown as { connection: pg.Connection }).connection;
    const streaming = once(wire, "replicationStart");
    // It never ends by itself.
    client.query(`START_REPLICATION PHYSICAL ${start}`).catch(() => {});
    await streaming;
    return {
      /** Reports everything up to `position` as replayed. */
      replayed(position: bigint) {
        const status = Buffer.alloc(34);
        status.write("r");
        for (const offset of [1, 9, 17]) status.writeBigUInt64BE(position, offset);
        (wire as unknown as { sendCopyFromChunk(chunk: Buffer): void }).sendCopyFromChunk(status);
      },
      stop: () => client.end(),
    };
  }

  it("are listed by name while they stream, with their lag once they answered", async () => {
    const list = () => listReplicas(connection.db);
    expect(await list()).toEqual([]);
    const replica = await startReplica("replica-1");
    try {
      await vi.waitFor(async () =>
        expect(await list()).toEqual([{ replica: "replica-1", lagSeconds: null }]),
      );
      replica.replayed(2n ** 62n);
      await vi.waitFor(async () =>
        expect(await list()).toEqual([{ replica: "replica-1", lagSeconds: 0 }]),
      );
    } finally {
      await replica.stop();
    }
  });
});
