import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentReads } from "../../../api/soul/indexed-agent.store.ts";
import { byName, byPassport, byTokenId } from "../../../api/soul/soul-ref.ts";
import * as indexed from "../../../indexer/ponder.schema.ts";
import { createIndexTables, recordingPool } from "../../fixtures/index-tables.ts";
import { createDatabase, type TestDatabase } from "../../fixtures/postgres.ts";

// Agents 1 to 500 in tables built from the indexer's schema. Passport n + 1,000 is of agent n. Agent 500 is burned.

const AGENTS = 500;
const ACCOUNT = "'0x' || lpad(to_hex(n), 40, '0')";
const HASH = "'0x' || md5(n::text) || md5(n::text)";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { soul, passport, passportMetadata, membership, binding, soulRevision, earning } = indexed;
  await createIndexTables(pool, [
    soul,
    passport,
    passportMetadata,
    membership,
    binding,
    soulRevision,
    earning,
  ]);
  await pool.query(`
    insert into chain.passport (id, owner, transfer_count)
      select n + 1000, ${ACCOUNT}, 0 from generate_series(1, ${AGENTS}) as n;
    insert into chain.soul (
      token_id, name, name_skeleton, validity, passport_id, owner, sealer, operator, version, passport_version, parent_token_id,
      epoch, status, agent_type, new_passport, revisions, mint_timestamp, mint_block, mint_tx,
      sealed_at, soul_hash, last_active_at
    ) select n, 'agent-' || n, 'agent' || n,
      case when n = ${AGENTS} then 'not_linked' else 'valid' end, n + 1000, ${ACCOUNT}, ${ACCOUNT}, ${ACCOUNT}, 0, 0, 0, 1,
      case when n = ${AGENTS} then 'BURNED' else 'SEALED' end, 0, true, 1, 1, 1, ${HASH}, 1, ${HASH}, 1
      from generate_series(1, ${AGENTS}) as n;
    analyze`);
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

describe("agents that are read together", () => {
  it("come from one statement for each kind of reference, each reader with its own agent", async () => {
    const { pool: recording, sent } = recordingPool(pool);
    const reads = agentReads(drizzle(recording));
    const refs = [
      ...[byName("agent-3"), byName("no-such-agent"), byName("agent-9"), byName("agent-3")],
      ...[byTokenId(7n), byTokenId(BigInt(AGENTS)), byTokenId(10n ** 40n)],
      ...[byPassport(1_004n), byPassport(1_000n + BigInt(AGENTS))],
    ];
    const readings = await Promise.all(refs.map((ref) => reads.agent(ref)));
    expect(readings.map(({ value }) => value?.soul.name ?? null)).toEqual([
      ...["agent-3", null, "agent-9", "agent-3"],
      ...["agent-7", `agent-${AGENTS}`, null],
      ...["agent-4", null],
    ]);
    expect(new Set(readings.map(({ at }) => at.block))).toEqual(new Set([50_000n]));
    expect(readings[2]?.value?.passport?.id).toBe(1_009n);
    expect(sent).toHaveLength(3);
  });

  it("are planned once, however many are read", async () => {
    const reads = agentReads(drizzle(pool));
    for (let count = 1; count <= 8; count += 1) {
      const names = Array.from({ length: count }, (_, index) => byName(`agent-${index + count}`));
      await Promise.all(names.map((name) => reads.agent(name)));
    }
    const { rows } = await pool.query(
      "select generic_plans > 0 as kept from pg_prepared_statements where name = 'chain_profiles_by_name'",
    );
    expect(rows).toEqual([{ kept: true }]);
  });
});
