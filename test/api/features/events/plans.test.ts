import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEventReads } from "../../../../api/features/events/events.store.ts";
import type { EventQuery } from "../../../../api/features/events/events.ts";
import { KINDS } from "../../../../api/features/events/kinds.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { createIndexTables, recordingPool } from "../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// How PostgreSQL reads events when each history table has many. The statements run on tables built
// from the indexer's schema.

const ROWS = 4_000;
const SOUL_REGISTRY = "0x00000000000000000000000000000000000000A1";
/** A page, and one more row that tells whether there is another page. */
const LIMIT = 26;

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

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await createIndexTables(pool, TABLES);
  for (const table of TABLES) await fill(table);
  await pool.query("analyze");
});
afterAll(async () => {
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

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** The rows that a page reads of all tables, and the tables that it reads whole. */
async function explained(query: Partial<EventQuery>) {
  const { pool: recording, sent } = recordingPool(pool);
  const reads = createEventReads(recording, SOUL_REGISTRY);
  const { value } = await reads.events({
    agent: null,
    kind: null,
    order: "newest",
    after: null,
    upTo: null,
    limit: LIMIT,
    ...query,
  });
  const [statement] = sent;
  if (statement === undefined || sent.length > 1) throw new Error("A page is one statement.");
  const { rows } = await pool.query(
    `explain (analyze, format json) ${statement.text}`,
    statement.values,
  );
  const steps = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(steps)];
  const scans = steps(rows[0]["QUERY PLAN"][0].Plan).filter(
    (step) => step["Relation Name"] !== undefined && !/^_ponder/.test(step["Relation Name"]),
  );
  const whole = scans
    .filter((step) => /Seq Scan/.test(step["Node Type"]))
    .map((step) => step["Relation Name"]);
  const read = scans.reduce(
    (sum, step) =>
      sum + (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"],
    0,
  );
  return { count: value.length, whole, read };
}

const AGENT = { tokenId: 7n, passportId: 7n, firstBlock: 1n, lastBlock: null };
const middle = { block: BigInt(ROWS / 2), logIndex: 0, part: 0n };

describe("among thousands of rows in each history, without a full scan", () => {
  it.each([
    ["the newest events", {}],
    ["a page in the middle", { after: middle }],
    ["what follows a cursor", { after: middle, order: "oldest" }],
  ] as const)("reads %s", async (_, query) => {
    const { count, whole, read } = await explained(query);
    expect([count, whole]).toEqual([LIMIT, []]);
    // A page of each kind, and what the shown ones are about.
    expect(read).toBeLessThan((KINDS.length + 6) * LIMIT);
  });

  it.each([
    ["the newest events", {}],
    ["a page in the middle", { after: middle }],
    ["what follows a cursor", { after: middle, order: "oldest" }],
  ] as const)("reads %s of one agent", async (_, query) => {
    const { count, whole, read } = await explained({ agent: AGENT, ...query });
    expect([count, whole]).toEqual([LIMIT, []]);
    expect(read).toBeLessThan((KINDS.length + 6) * LIMIT);
  });

  it.each(KINDS)("reads events of the kind %s alone", async (kind) => {
    const { count, whole, read } = await explained({ kind });
    expect(whole).toEqual([]);
    expect(count).toBeGreaterThan(0);
    // Each of these agents has ten epochs, of which the right one is found.
    expect(read).toBeLessThan(16 * LIMIT);
    const ofAgent = await explained({ kind, agent: AGENT });
    expect(ofAgent.whole).toEqual([]);
    expect(ofAgent.read).toBeLessThan(16 * LIMIT);
  });
});
