import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganizationReads } from "../../../../api/features/organizations/organizations.store.ts";
import type {
  MemberOrder,
  OrganizationFilter,
  OrganizationRecord,
} from "../../../../api/features/organizations/organizations.ts";
import { recordingPool } from "../../../fixtures/index-tables.ts";
import { LARGE, SMALL, seedOrganizations } from "../../../fixtures/organization-index.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// The numbers of organizations of 10 and of 1,000 agents among 20,000, on tables built from the
// indexer's schema.

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await seedOrganizations(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function statsOf(organizationId: bigint) {
  const { pool: recording, sent } = recordingPool(pool);
  const reads = createOrganizationReads(recording);
  const { value } = await reads.stats(organizationId);
  return { value, statements: sent.length };
}

it("counts everything of an organization of 10 agents in one statement", async () => {
  const { value, statements } = await statsOf(1n);
  expect(statements).toBe(1);
  expect(value?.memberCount).toBe(SMALL);
  expect(value?.stats).toEqual({
    activeMembers: 10,
    // 98, 96, 94, 92 and 90.
    averageAlignment: 94,
    alignmentDistribution: { "90-100": 5, "70-89": 0, "50-69": 0, below50: 0 },
    agentTypeBreakdown: { assistant: 2, companion: 2, specialist: 2, creative: 2, other: 2 },
    totalChronicles: 30,
    // Trust levels 2 to 4, towards sealed agents: not from 4 and 8, nor towards 10.
    totalBindings: 7,
    sealedCount: 9,
    provisionalCount: 1,
    driftedCount: 0,
    lastActivity: new Date("2026-01-01T00:00:10Z"),
  });
});

it("counts everything of an organization of 1,000 agents in one statement", async () => {
  const { value, statements } = await statsOf(2n);
  expect(statements).toBe(1);
  const stats = value?.stats;
  expect(stats?.activeMembers).toBe(LARGE);
  expect(stats?.totalChronicles).toBe(3 * LARGE);
  expect(stats?.sealedCount).toBe(900);
  // Of 11 to 1,010 the even ones have a score; 99 was the first, and 79 or less has drifted.
  const scores = Array.from({ length: LARGE }, (_, index) => index + 11)
    .filter((n) => n % 2 === 0)
    .map((n) => 100 - (n % 60));
  expect(stats?.driftedCount).toBe(scores.filter((score) => 99 - score >= 20).length);
  const sum = scores.reduce((total, score) => total + score, 0);
  expect(stats?.averageAlignment).toBe(Math.round(sum / scores.length));
  const between = (from: number, to: number) =>
    scores.filter((score) => score >= from && score <= to).length;
  expect(stats?.alignmentDistribution).toEqual({
    "90-100": between(90, 100),
    "70-89": between(70, 89),
    "50-69": between(50, 69),
    below50: between(0, 49),
  });
});

it("knows no organization that was not founded", async () => {
  expect((await statsOf(3n)).value).toBeNull();
});

it("lists organizations by id, and finds them by admin, name, id and member", async () => {
  const reads = createOrganizationReads(pool);
  const found = async (filter: OrganizationFilter, after = 0n) =>
    (await reads.list(filter, after, 10)).value.map(({ organizationId }) => organizationId);
  expect(await found({})).toEqual([1n, 2n]);
  expect(await found({}, 1n)).toEqual([2n]);
  const [{ admin }] = (await reads.list({}, 0n, 1)).value as [OrganizationRecord];
  expect(await found({ admin })).toEqual([1n]);
  expect(await found({ q: "ORGANIZATION 2" })).toEqual([2n]);
  expect(await found({ q: "2" })).toEqual([2n]);
  expect(await found({ q: "%" })).toEqual([]);
  expect(await found({ tokenId: 500n })).toEqual([2n]);
  expect(await found({ tokenId: BigInt(SMALL + LARGE + 1) })).toEqual([]);
});

it("reads a page of members in each order", async () => {
  const reads = createOrganizationReads(pool);
  const page = async (order: MemberOrder, offset = 0) => {
    const { value } = await reads.withMembers(1n, { order, limit: 3, offset });
    return value?.members.map(({ tokenId }) => Number(tokenId));
  };
  expect(await page("addedAt")).toEqual([1, 2, 3]);
  expect(await page("addedAt", 8)).toEqual([9, 10]);
  expect(await page("agentName")).toEqual([1, 10, 2]);
  expect(await page("soulAlignment")).toEqual([2, 4, 6]);
  const { value } = await reads.withMembers(1n, { order: "addedAt", limit: 1, offset: 1 });
  expect(value?.members).toEqual([
    {
      tokenId: 2n,
      agentName: "agent-2",
      agentType: "specialist",
      soulAlignment: 98,
      addedAt: new Date(2000),
      status: "active",
    },
  ]);
  expect((await reads.withMembers(3n, { order: "addedAt", limit: 3, offset: 0 })).value).toBeNull();
});

it("tells members that a sale or another epoch has left without effect", async () => {
  const reads = createOrganizationReads(pool);
  await pool.query("update chain.passport set owner = '0x01' where id = 1");
  await pool.query("update chain.soul set epoch = 2 where token_id = 2");
  try {
    const { value } = await reads.withMembers(1n, { order: "addedAt", limit: 3, offset: 0 });
    expect(value?.members.map(({ status }) => status)).toEqual(["suspended", "ended", "active"]);
    expect((await statsOf(1n)).value?.stats.activeMembers).toBe(8);
  } finally {
    await pool.query("update chain.soul set epoch = 1 where token_id = 2");
    await pool.query(
      "update chain.passport set owner = sealer from chain.soul where id = 1 and token_id = 1",
    );
  }
});
