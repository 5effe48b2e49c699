import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentList } from "../../../../api/features/profile/agents.store.ts";
import type { AgentFilter, AgentOrder } from "../../../../api/features/profile/agents.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { createIndexTables, recordingPool } from "../../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// How PostgreSQL finds agents among 50,000. The test runs the API's statements on tables built from
// the indexer's schema.

const AGENTS = 50_000;
/** The middle of the table, in each order. */
const MIDDLE = AGENTS / 2;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await createIndexTables(pool, [indexed.soul, indexed.passport, indexed.membership]);
  await pool.query(`
    insert into chain.passport (id, owner, transfer_count)
      select n, ${accountOf("n")}, 0 from generate_series(1, ${AGENTS}) as n;
    insert into chain.soul (
      token_id, name, passport_id, owner, sealer, operator, version, passport_version, parent_token_id, epoch, status, agent_type,
      new_passport, revisions, mint_timestamp, mint_block, mint_tx, last_active_at
    ) select n, ${nameOf("n")}, n, ${accountOf("n")}, ${accountOf("n")}, ${accountOf("n + 1000000")},
      0, 0, 0, 1, 'SEALED', n % 5, true, 1, n, n, '0x' || md5(n::text) || md5(n::text), n
      from generate_series(1, ${AGENTS}) as n;
    analyze chain.soul; analyze chain.passport; analyze chain.membership`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const accountOf = (n: string) => `'0x' || substr(md5((${n})::text), 1, 32) || '00000000'`;
const nameOf = (n: string) => `substr(md5((${n})::text), 1, 12) || '-' || (${n})::text`;

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

/** The answer of one list, and the query plan's steps: "Index Scan of soul". */
async function explained(filter: AgentFilter, order: AgentOrder, after: string | null = null) {
  const { pool: recording, sent } = recordingPool(pool);
  const { value } = await createAgentList(recording).agents(filter, { order, after }, 26);
  const [statement] = sent;
  if (statement === undefined || sent.length > 1) throw new Error("A list is one statement.");
  const { rows } = await pool.query(`explain (format json) ${statement.text}`, statement.values);
  const steps = (plan: Plan): string[] => [
    `${plan["Node Type"]} of ${plan["Relation Name"] ?? "-"}`,
    ...(plan.Plans ?? []).flatMap(steps),
  ];
  const plan = steps(rows[0]["QUERY PLAN"][0].Plan);
  return { tokenIds: value.map(({ soul }) => Number(soul.tokenId)), plan };
}

const scansOfAll = (plan: readonly string[]) =>
  plan.filter((step) => /^(?:Parallel )?Seq Scan of (?:soul|passport)$/.test(step));

async function onlyText(query: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>(`select ${query} as value`);
  return rows[0]?.value ?? "";
}

const orders = ["registered", "newest", "name"] as const;

describe("among 50,000 agents, reads without a full scan", () => {
  it.each(orders)("the first page in the order %s", async (order) => {
    const { tokenIds, plan } = await explained({}, order);
    expect(scansOfAll(plan)).toEqual([]);
    expect(tokenIds).toHaveLength(26);
  });

  it.each(orders)("a page in the middle of the order %s", async (order) => {
    const after = order === "name" ? await onlyText(nameOf(`${MIDDLE}`)) : `${MIDDLE}`;
    const { tokenIds, plan } = await explained({}, order, after);
    expect(scansOfAll(plan)).toEqual([]);
    expect(tokenIds).toHaveLength(26);
    if (order !== "name") expect(tokenIds[0]).toBe(order === "newest" ? MIDDLE - 1 : MIDDLE + 1);
  });

  it.each(orders)("the beginning of a name, in the order %s", async (order) => {
    const name = await onlyText(nameOf(`${MIDDLE}`));
    const { tokenIds, plan } = await explained({ q: name.slice(0, 8) }, order);
    expect(scansOfAll(plan)).toEqual([]);
    expect(tokenIds).toContain(MIDDLE);
  });

  it.each(orders)("an owner and an operator, in the order %s", async (order) => {
    for (const number of [`${MIDDLE}`, `${MIDDLE} + 1000000`]) {
      const { tokenIds, plan } = await explained({ q: await onlyText(accountOf(number)) }, order);
      expect(scansOfAll(plan)).toEqual([]);
      expect(tokenIds).toEqual([MIDDLE]);
    }
  });

  it.each(orders)("digits and the passport's name, in the order %s", async (order) => {
    for (const q of [`${MIDDLE}`, `agent-${MIDDLE}`]) {
      const { tokenIds, plan } = await explained({ q }, order);
      expect(scansOfAll(plan)).toEqual([]);
      expect(tokenIds).toContain(MIDDLE);
    }
  });
});
