import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEventReads } from "../../../../api/features/events/events.store.ts";
import { type EventQuery, endOfBlock } from "../../../../api/features/events/events.ts";
import { KINDS } from "../../../../api/features/events/kinds.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import {
  createIndexTables,
  recordingPool,
  type SentStatement,
} from "../../../fixtures/index-tables.ts";
import { blocksOf, type PlanStep, rowsOf, scansOf } from "../../../fixtures/plan-steps.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// How PostgreSQL reads events when each history table has many: with SVC_SOAK=1 50,000, and it says
// the times. The statements run on tables built from the indexer's schema.

const SOAK = process.env.SVC_SOAK === "1";
const ROWS = SOAK ? 50_000 : 4_000;
const SOUL_REGISTRY = "0x00000000000000000000000000000000000000A1";
/** A page, and one more row that tells whether there is another page. */
const LIMIT = 26;
const LARGEST = 101;

const TABLES = [
  indexed.soul,
  indexed.soulEpoch,
  indexed.soulRevision,
  indexed.soulEnd,
  indexed.suspension,
  indexed.passportOwner,
  indexed.operatorChange,
  indexed.didArchive,
  indexed.agentKeysChange,
  indexed.bindingChange,
  indexed.membershipChange,
  indexed.organizationAdmin,
  indexed.allowanceChange,
  indexed.spend,
  indexed.feedback,
  indexed.feedbackResponse,
  indexed.validation,
  indexed.validationResponse,
  indexed.humanProof,
  indexed.alignment,
  indexed.batch,
];

let database: TestDatabase;
let pool: pg.Pool;
const times: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await createIndexTables(pool, TABLES);
  for (const table of TABLES) await fill(table);
  await pool.query("analyze");
}, 300_000);
afterAll(async () => {
  if (SOAK) console.log(times.join("\n"));
  await pool.end();
  await database.drop();
});

/** Fills every column of a table: one agent in ten rows, one log in each block. */
async function fill(table: PgTable): Promise<void> {
  const { name, columns } = getTableConfig(table);
  /** One row for each agent. */
  const isSoul = table === indexed.soul || table === indexed.soulEnd;
  const value = (column: (typeof columns)[number]): string => {
    const { name: is, enumValues = [] } = column;
    const type = column.getSQLType();
    if (is === "consumer") return `'${SOUL_REGISTRY.toLowerCase()}'`;
    if (is === "burn_block") return "null";
    if (enumValues.length > 0) {
      const values = enumValues.map((one) => `'${one}'`).join(", ");
      return `(array[${values}])[1 + n % ${enumValues.length}]`;
    }
    if (/^(?:token|from_token|passport)_id$/.test(is)) return isSoul ? "n" : `n % ${ROWS / 10}`;
    if (type === "boolean") return "true";
    if (/^(?:trust_level|previous_trust_level|agent_type)$/.test(is)) return "1";
    if (is === "epoch") return isSoul ? "1" : `1 + n / ${ROWS / 10}`;
    if (/log_index$/.test(is)) return "0";
    if (/^(?:integer|numeric)/.test(type)) return "n";
    return /name$/.test(is)
      ? "'agent-' || n"
      : "'0x' || md5(n::text) || substr(md5(n::text), 1, 8)";
  };
  await pool.query(
    `insert into chain."${name}" (${columns.map((column) => `"${column.name}"`).join(", ")})
      select ${columns.map(value).join(", ")} from generate_series(1, ${ROWS}) as n`,
  );
}

/** The rows that a page reads of all tables, and the tables that it reads whole. */
async function explained(title: string, query: Partial<EventQuery>) {
  const { pool: recording, sent } = recordingPool(pool);
  const page: EventQuery = {
    agent: null,
    kind: null,
    order: "newest",
    after: null,
    upTo: null,
    limit: LIMIT,
    ...query,
  };
  const { value } = await createEventReads(recording, SOUL_REGISTRY).events(page);
  const [statement] = sent;
  if (statement === undefined || sent.length > 1) throw new Error("A page is one statement.");
  if (SOAK) times.push(await timed(title, page));
  const plans = [await planOf(statement, "force_custom_plan")];
  // What PostgreSQL may use once it has run the statement a few times: one plan for all values.
  plans.push(await planOf(statement, "force_generic_plan"));
  return {
    count: value.length,
    whole: plans.flatMap(({ whole }) => whole),
    read: Math.max(...plans.map(({ read }) => read)),
    /** Blocks of 8 KiB, those of indexes included. */
    blocks: Math.max(...plans.map(({ blocks }) => blocks)),
  };
}

async function planOf({ text, values }: SentStatement, mode: string) {
  const literals = values.map((value) => `'${value}'`).join(", ");
  await pool.query(`set plan_cache_mode = ${mode}; prepare explained as ${text}`);
  const { rows } = await pool.query(
    `explain (analyze, buffers, format json) execute explained ${literals === "" ? "" : `(${literals})`}`,
  );
  await pool.query("deallocate explained; reset plan_cache_mode");
  const plan: PlanStep = rows[0]["QUERY PLAN"][0].Plan;
  const blocks = blocksOf(plan);
  const scans = scansOf(plan);
  const whole = scans
    .filter((step) => /Seq Scan/.test(step["Node Type"]))
    .map((step) => step["Relation Name"]);
  const read = scans.reduce((sum, step) => sum + rowsOf(step), 0);
  return { whole, read, blocks };
}

async function timed(title: string, page: EventQuery): Promise<string> {
  const reads = createEventReads(pool, SOUL_REGISTRY);
  const taken: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await reads.events(page);
    taken.push(performance.now() - start);
  }
  const [first = 0] = taken;
  taken.sort((one, other) => one - other);
  return `${title}: ${taken[10]?.toFixed(1)} ms, the first time ${first.toFixed(1)}, at most ${taken.at(-1)?.toFixed(1)}`;
}

const AGENT = { tokenId: 7n, passportId: 7n, firstBlock: 1n, lastBlock: null };
const middle = { block: BigInt(ROWS / 2), logIndex: 0, part: 0n };

const PAGES = [
  ["the newest events", {}],
  ["a page in the middle", { after: middle }],
  ["what follows a cursor", { after: middle, order: "oldest" }],
] as const;
const pages = [LIMIT, LARGEST].flatMap((limit) =>
  PAGES.map(([title, query]) => [`${title}, ${limit}`, { limit, ...query }] as const),
);
/** A page of each kind, and what the shown ones are about. */
const mostOf = (limit: number) => (KINDS.length + 6) * limit;

describe("among thousands of rows in each history, without a full scan", () => {
  it.each(pages)("reads %s", async (title, query) => {
    const { count, whole, read, blocks } = await explained(title, query);
    expect([count, whole]).toEqual([query.limit, []]);
    expect(read).toBeLessThan(mostOf(query.limit));
    // More of them: the entries of indexes between the newest event and the cursor were read.
    if (!SOAK) expect(blocks).toBeLessThan(query.limit === LIMIT ? 450 : 1_250);
  });

  it.each(pages)("reads %s of one agent", async (title, query) => {
    const { count, whole, read } = await explained(`${title}, of an agent`, {
      agent: AGENT,
      ...query,
    });
    expect(whole).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(LIMIT);
    expect(read).toBeLessThan(mostOf(query.limit));
  });

  it("reads the events that a cursor stands on", async () => {
    const { whole, read } = await explained("the last 20 blocks, to compare", {
      order: "oldest",
      after: endOfBlock(BigInt(ROWS - 20)),
      upTo: { ...middle, block: BigInt(ROWS) },
      limit: 2_000,
    });
    expect(whole).toEqual([]);
    // The events of 20 blocks, and the agent and epoch of each.
    expect(read).toBeLessThan(20 * KINDS.length * 3);
  });

  it.each(KINDS)("reads events of the kind %s alone", async (kind) => {
    const { count, whole, read } = await explained(kind, { kind });
    expect(whole).toEqual([]);
    expect(count).toBeGreaterThan(0);
    // Each of these agents has ten epochs, of which the right one is found.
    expect(read).toBeLessThan(16 * LIMIT);
    const ofAgent = await explained(`${kind} of an agent`, { kind, agent: AGENT });
    expect(ofAgent.whole).toEqual([]);
    expect(ofAgent.read).toBeLessThan(16 * LIMIT);
  });
});
