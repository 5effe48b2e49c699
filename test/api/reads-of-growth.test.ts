import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobName, OperationId } from "../../api/features.ts";
import { measureJobs } from "../fixtures/growth/jobs.ts";
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
