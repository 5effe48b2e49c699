import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganizationReads } from "../../../../api/features/organizations/organizations.store.ts";
import type {
  MemberOrder,
  OrganizationFilter,
  OrganizationRecord,
} from "../../../../api/features/organizations/organizations.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { createIndexTables, recordingPool } from "../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// The numbers of organizations of 10 and of 1,000 agents among 20,000, on tables built from the
// indexer's schema.

const AGENTS = 20_000;
const SMALL = 10;
const LARGE = 1_000;

let database: TestDatabase;
let pool: pg.Pool;

/** Agents 1 to 10 are members of organization 1, the next 1,000 of organization 2. */
const ORGANIZATION = `case when n <= ${SMALL} then 1 else 2 end`;
const ACCOUNT = "'0x' || substr(md5(n::text), 1, 32) || '00000000'";
const HASH = "'0x' || md5(n::text) || md5(n::text)";

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { soul, passport, membership, organization, binding, alignment } = indexed;
  await createIndexTables(pool, [soul, passport, membership, organization, binding, alignment]);
  await pool.query(`
    insert into chain.passport (id, owner, transfer_count)
      select n, ${ACCOUNT}, 0 from generate_series(1, ${AGENTS}) as n;
    insert into chain.soul (
      token_id, name, passport_id, owner, sealer, operator, version, passport_version, parent_token_id, epoch, status, agent_type,
      new_passport, revisions, mint_timestamp, mint_block, mint_tx, last_active_at, alignment_score
    ) select n, 'agent-' || n, n, ${ACCOUNT}, ${ACCOUNT}, ${ACCOUNT}, 0, 0, 0, 1,
      case when n % 10 = 0 then 'PROVISIONAL' else 'SEALED' end, n % 5, true, 1, n, n, ${HASH}, n,
      case when n % 2 = 0 then 100 - n % 60 end
      from generate_series(1, ${AGENTS}) as n;
    insert into chain.organization
      (id, admin, founder, name, version, member_count, created_at, created_block, create_tx)
      select n, ${ACCOUNT}, ${ACCOUNT}, 'Organization ' || n, 0,
        case when n = 1 then ${SMALL} else ${LARGE} end, n, n, ${HASH}
      from generate_series(1, 2) as n;
    insert into chain.membership
      (token_id, organization_id, epoch, version, updated_at, updated_block, update_tx)
      select n, ${ORGANIZATION}, 1, 1, n, n, ${HASH}
      from generate_series(1, ${SMALL + LARGE}) as n;
    insert into chain.alignment
      (token_id, scored_block, epoch, score, previous_score, archive_id, timestamp, block, tx)
      select n, block, 1, 100 - block, 0, ${HASH}, n, n, ${HASH}
      from generate_series(1, ${AGENTS}) as n, generate_series(1, 3) as block where n % 2 = 0;
    insert into chain.binding (
      from_token_id, to_token_id, binding_id, trust_level, authority, set_by, epoch, to_epoch, version, service_version,
      context_hash, created_at, updated_at, updated_block, update_tx
    ) select n, n + 1, ${HASH}, 1 + n % 4, 'OWNER', ${ACCOUNT}, 1, 1, 1, 0, ${HASH}, n, n, n, ${HASH}
      from generate_series(1, ${AGENTS} - 1) as n;
    insert into app.chronicle (
      token_id, chronicle_id, epoch, category, change_type, recorded_at, data, content_hash, archive_id, leaf, authority,
      operation_key
    ) select n, id, 1, 'experience', 'note', timestamptz '2026-01-01' + n * interval '1 second', '{}',
      'hash', 'archive', decode(md5(n || '-' || id), 'hex'), 'service', n || '-' || id
      from generate_series(1, ${AGENTS}) as n, generate_series(1, 3) as id;
    analyze`);
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

it("prints what both cost", async () => {
  const { pool: recording, sent } = recordingPool(pool);
  const reads = createOrganizationReads(recording);
  const costs: Record<string, number> = {};
  for (const organizationId of [1n, 2n]) {
    const started = performance.now();
    for (let i = 0; i < 10; i += 1) await reads.stats(organizationId);
    costs[String(organizationId === 1n ? SMALL : LARGE)] = (performance.now() - started) / 10;
  }
  console.info("Milliseconds of one stats query by number of agents:", costs);
  expect(sent).toHaveLength(20);
});
