import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobName, OperationId } from "../../api/features.ts";
import { measureJobs } from "../fixtures/growth/jobs.ts";
import { KEPT, keptReads } from "../fixtures/growth/kept-reads.ts";
import {
  type Finding,
  findingsOf,
  type Measured,
  type MeasuredRead,
  measureReads,
} from "../fixtures/growth/measure.ts";
import { tableSizes } from "../fixtures/growth/plans.ts";
import { growTo } from "../fixtures/growth/rows.ts";
import { type GrowthWorld, startGrowthWorld } from "../fixtures/growth/world.ts";
import { reachBlock } from "../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// Every read of the API and every recurring job among enough agents that reading a table from end
// to end shows. With more
// agents and with times: npm --prefix bench run growth.

const AGENTS = 2_000;

/** Reads that grow with the agents, and why they may. */
const READ_ALL: Partial<Record<OperationId, string>> = {
  getServiceDomainProof: "It names every agent. The answer is kept for a minute or longer.",
  getSitemapPart: "A part names 10,000 agents, which are read by a range of the primary key.",
  showHomePage: "Its numbers are counted, and kept for 15 seconds or longer for all clients.",
};

/** Jobs that read all agents, and why they may. */
const JOBS_THAT_READ_ALL: Partial<Record<JobName, string>> = {
  "alignment.schedule": "It looks at each agent once in a quarter of an hour.",
};

let database: TestDatabase;
let world: GrowthWorld;
let reads: readonly MeasuredRead[];
let jobs: readonly Measured<JobName>[];
let rowsOf: ReadonlyMap<string, number>;

beforeAll(async () => {
  database = await createDatabase();
  world = await startGrowthWorld(database);
  await growTo(world.pool, world.subject, { from: 0, to: AGENTS });
  // With few rows the planner would read a table from end to end where an index exists.
  reads = await measureReads(world, { isRun: true, allowScans: false });
  // Last, because jobs change rows.
  jobs = await measureJobs(world, { isRun: true, allowScans: false });
  rowsOf = new Map((await tableSizes(world.pool)).map(({ table, rows }) => [table, rows]));
}, 300_000);
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

function described({ table, rowsRead, askedBy, text }: Finding<string>): string {
  return `${askedBy.join()}: ${rowsRead} rows of ${table} by ${text.slice(-500)}`;
}

describe(`every read among ${AGENTS} agents`, () => {
  it("is answered as expected", () => {
    const unexpected = reads.filter(({ status, expected }) => status !== expected);
    expect(unexpected.map(({ path, status }) => [path, status])).toEqual([]);
  });

  it("reads no growing table from end to end, unless it must", () => {
    const found = findingsOf(
      reads.filter(({ id }) => READ_ALL[id] === undefined),
      rowsOf,
    );
    expect(found.map(described)).toEqual([]);
  });

  it("has no exception without need", () => {
    const readAll = findingsOf(reads, rowsOf).flatMap(({ askedBy }) => askedBy);
    expect(new Set(readAll)).toEqual(new Set(Object.keys(READ_ALL)));
  });
});

describe(`every recurring job among ${AGENTS} agents`, () => {
  it("reads no growing table from end to end, unless it must", () => {
    const found = findingsOf(
      jobs.filter(({ id }) => JOBS_THAT_READ_ALL[id] === undefined),
      rowsOf,
    );
    expect(found.map(described)).toEqual([]);
  });

  it("has no exception without need", () => {
    const readAll = findingsOf(jobs, rowsOf).flatMap(({ askedBy }) => askedBy);
    expect(new Set(readAll)).toEqual(new Set(Object.keys(JOBS_THAT_READ_ALL)));
  });
});

describe("answers that are made from the database alone", () => {
  let reads: Awaited<ReturnType<typeof keptReads>>;
  beforeAll(async () => {
    reads = await keptReads(world);
  });

  /** Asks all of them, so that they are kept. Then writes, and asks all of them again. */
  async function changedBy(write: () => Promise<unknown>): Promise<readonly string[]> {
    const before = [];
    for (const path of reads.paths) before.push(await reads.answer(path));
    await write();
    const changed = [];
    for (const old of before) {
      const { path } = old;
      const [sent, fresh] = [await reads.answer(path), await reads.fresh(path)];
      expect(sent).toEqual(fresh);
      if (sent.body !== old.body) changed.push(path);
    }
    return changed;
  }

  it("are each asked by a path", () => {
    expect(KEPT.length).toBeGreaterThan(20);
    expect(reads.paths.length).toBeGreaterThanOrEqual(KEPT.length);
  });

  it("are kept, and are what a caller gets for whom nothing is kept", async () => {
    const neverKept = [];
    for (const path of reads.paths) {
      const sent = await reads.kept(path);
      if (sent === null) neverKept.push(path);
      else expect(sent).toEqual(await reads.fresh(path));
    }
    // Storage is asked for what their scores were made of, and does not have it. What answers depends on the time.
    const { rows } = await world.pool.query("select name from chain.soul where token_id in (1, 3)");
    const agents = rows.map(({ name }) => `/agents/${name}`);
    expect(neverKept.toSorted()).toEqual([...agents, "/agents?answers=1"].toSorted());
  });

  it("are what they are at the block that the index has reached, and at its time", async () => {
    const [hour, month] = [3_600, 40 * 86_400];
    let time = 1_700_000_000;
    for (const [block, seconds] of [
      [50_001, hour],
      [50_002, month],
    ] as const) {
      time += seconds;
      const changed = await changedBy(() => reachBlock(world.pool, block, time));
      expect(changed).toEqual(
        expect.arrayContaining([`/v1/profile/${world.subject.name}`, "/agents/eccbc87e4b5c-3"]),
      );
    }
  });

  it("are new as soon as a transaction ends that was open while they were built", async () => {
    const { name, passportId, owner } = world.subject;
    const sell = "update chain.passport set owner = $1 where id = $2";
    const client = await world.pool.connect();
    try {
      await client.query("begin");
      await client.query(sell, [`0x${"d".repeat(40)}`, passportId]);
      const changed = await changedBy(() => client.query("commit"));
      expect(changed).toEqual(
        expect.arrayContaining([
          `/v1/profile/${name}`,
          "/v1/soul-validity/1",
          `/v1/did/${name}`,
          `/agents/${name}`,
          "/passports/0",
          `/owners/${owner.address}`,
        ]),
      );
    } finally {
      client.release();
      await world.pool.query(sell, [owner.address.toLowerCase(), passportId]);
    }
  });

  it("are new after a write of the service", async () => {
    const { name } = world.subject;
    const rename = "update app.display_setting set operator_label = 'Renamed' where token_id = 1";
    const changed = await changedBy(() => world.pool.query(rename));
    expect(changed).toEqual(
      expect.arrayContaining([
        `/v1/profile/${name}`,
        `/v1/profile/${name}/display`,
        `/agents/${name}`,
      ]),
    );
  });
});
