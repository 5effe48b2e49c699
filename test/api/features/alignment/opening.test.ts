import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createOpeningStore,
  createSnapshotOpening,
} from "../../../../api/features/alignment/snapshots/opening.store.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { INDEXED_TIME, seedAlignment } from "../../../fixtures/alignment-index.ts";
import { createKeptTables, keptJobs, sentJobs } from "../../../fixtures/chronicles.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { capturedLog } from "../../helpers.ts";

// Which agents get a snapshot, and how many a request may open.

const DAY = 86_400;

let database: TestDatabase;
let connection: DatabaseConnection;
let now = new Date(INDEXED_TIME * 1000);

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
  await createKeptTables(connection);
  await seedAlignment(connection.pool, 40);
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

const store = () => createOpeningStore({ db: connection.db, jobs: keptJobs, clock: () => now });

/** Schedules as the job does, by pages of 15. Resolves to where each page begins and ends. */
const schedule = () => {
  const pages: (bigint | null)[][] = [];
  const { openDue, ...others } = store();
  const counted = async (after: bigint, limit: number) => {
    const last = await openDue(after, limit);
    pages.push([after, last]);
    return last;
  };
  const unused = {} as never;
  return createSnapshotOpening({
    store: Object.assign(others, { openDue: counted }),
    souls: unused,
    agents: unused,
    clock: () => now,
    openedAtOnce: 15,
  })
    .schedule()
    .then(() => pages);
};

const tokensOf = async (state: string) =>
  (
    await connection.pool.query(
      "select token_id::int as token from app.alignment_snapshot where state = $1 order by 1",
      [state],
    )
  ).rows.map(({ token }) => token);

const ALL = Array.from({ length: 40 }, (_, index) => index + 1);

it("opens snapshots of all agents that are due, page by page, and each once", async () => {
  // One is young, one is burned, one is suspended, and one is not sealed.
  await connection.pool.query(`update chain.soul set mint_timestamp = ${INDEXED_TIME - 29 * DAY} where token_id = 1;
    update chain.soul set status = 'BURNED' where token_id = 2;
    update chain.soul set suspended_owner = owner where token_id = 3;
    update chain.soul set status = 'PROVISIONAL' where token_id = 4`);
  const pages = [
    [0n, 19n],
    [19n, 34n],
    [34n, null],
  ];
  expect(await schedule()).toEqual(pages);
  expect(await tokensOf("computing")).toEqual(ALL.slice(4));
  expect(await schedule()).toEqual([[0n, null]]);
  expect((await sentJobs(connection)).map(({ name }) => name)).toContain("alignment.snapshots");
});

it("opens the next one after 20 hours, and only for agents that were active or have no score", async () => {
  await connection.pool.query(`update app.alignment_snapshot set state = 'recorded';
    update chain.soul set alignment_score = 90, alignment_at = ${INDEXED_TIME};
    update chain.soul set last_active_at = ${INDEXED_TIME - 31 * DAY} where token_id in (5, 6);
    update chain.soul set alignment_score = null, alignment_at = null where token_id = 6`);
  const passHours = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  passHours(19);
  expect(await schedule()).toEqual([[0n, null]]);
  passHours(2);
  // Agent 5 does nothing on chain, but has chronicles of this month.
  await schedule();
  expect(await tokensOf("computing")).toEqual(ALL.slice(4));
  await connection.pool.query("update app.alignment_snapshot set state = 'recorded'");
  passHours(40 * 24);
  await schedule();
  expect(await tokensOf("computing")).toEqual(ALL.slice(5));
});

it("opens five at request on one day, and counts neither scheduled ones nor other agents'", async () => {
  const since = new Date(now.getTime() - 1000);
  const limit = { max: 5, since };
  const subject = { tokenId: 40n, agentName: "agent-number-40", epoch: 1 };
  const finish = () =>
    connection.pool.query("update app.alignment_snapshot set state = 'recorded'");
  const request = (key: string = randomUUID()) => store().request(subject, key, limit);
  await finish();
  const ids = new Set<string | undefined>();
  for (let asked = 0; asked < 5; asked += 1) {
    const key = randomUUID();
    const opened = await request(key);
    ids.add(opened?.id);
    // A retry, and another request while it is under way, open no other.
    expect((await request(key))?.id).toBe(opened?.id);
    expect((await request())?.id).toBe(opened?.id);
    await finish();
  }
  expect(ids.size).toBe(5);
  expect(await request()).toBeNull();
  const other = { tokenId: 39n, agentName: "agent-number-39", epoch: 1 };
  expect(await store().request(other, randomUUID(), limit)).not.toBeNull();
  // The next day begins with none.
  now = new Date(now.getTime() + DAY * 1000);
  expect(await store().request(subject, randomUUID(), { max: 5, since: now })).not.toBeNull();
});
