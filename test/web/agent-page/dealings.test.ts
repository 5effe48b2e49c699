import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as indexed from "../../../indexer/ponder.schema.ts";
import { createDealingReads } from "../../../web/agent-page/dealings.store.ts";
import { allowanceStanding, currentDealings, everyDay } from "../../../web/agent-page/dealings.ts";
import { createIndexTables, recordingPool } from "../../fixtures/index-tables.ts";
import { rowsOf, scansOf } from "../../fixtures/plan-steps.ts";
import { createDatabase, type TestDatabase } from "../../fixtures/postgres.ts";

// What an agent's page reads of allowance, payments and bindings, on tables built from the indexer's schema. The
// index has come to block 50,000, at 1,700,000,000 seconds, which is in day 19,675.

const AGENTS = 2_000;
const TODAY = 19_675;
/** Agent 1 makes so many payments on each of the last 40 days. */
const PAYMENTS = 250;

let database: TestDatabase;
let pool: pg.Pool;

const HASH = (n: string) => `'0x' || md5((${n})::text) || md5((${n})::text)`;
const ACCOUNT = (n: string) => `'0x' || lpad(to_hex(${n}), 40, '0')`;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { soul, passport, allowance, spend, binding, membership, organization } = indexed;
  await createIndexTables(pool, [
    soul,
    passport,
    allowance,
    spend,
    binding,
    membership,
    organization,
  ]);
  await pool.query(`
    insert into chain.passport (id, owner, transfer_count)
      select n, ${ACCOUNT("case when n = 5 then 77777 else n end")}, 0
      from generate_series(1, ${AGENTS}) as n;
    insert into chain.soul (
      token_id, name, name_skeleton, validity, passport_id, owner, sealer, operator, version, passport_version, parent_token_id,
      epoch, status, agent_type, new_passport, revisions, mint_timestamp, mint_block, mint_tx,
      sealed_at, soul_hash, last_active_at
    ) select n, 'agent-' || n, 'agent-' || n, 'valid', n, ${ACCOUNT("n")}, ${ACCOUNT("n")}, ${ACCOUNT("0")}, 0, 0, 0,
      case when n in (1, 6) then 2 else 1 end, case when n = 7 then 'PROVISIONAL' else 'SEALED' end, 0, true, 1, 1, 1,
      ${HASH("n")}, 1, ${HASH("n")}, 1 from generate_series(1, ${AGENTS}) as n;
    insert into chain.allowance (token_id, epoch, owner, version, active, per_transaction, daily_limit,
      valid_until, only_with_agent_wallet, spent_today, paid_count, paid_amount, refused_count,
      reported_count, reported_amount)
      values (1, 1, ${ACCOUNT("1")}, 9, true, 9, 9, 9, false, 0, 0, 0, 0, 0, 0),
        (1, 2, ${ACCOUNT("1")}, 3, true, 2000000, 5000000, 1800000000, false, 0, 0, 0, 0, 0, 0);
    insert into chain.allowance (token_id, epoch, owner, version, active, per_transaction, daily_limit,
      valid_until, only_with_agent_wallet, spent_today, paid_count, paid_amount, refused_count,
      reported_count, reported_amount)
      select n, 1, ${ACCOUNT("n")}, 1, true, 1, 1, 1800000000, false, 0, 0, 0, 0, 0, 0
      from generate_series(3, ${AGENTS}, 2) as n;
    -- Each payment is of one unit. Ten days ago, in the middle of the day, a new epoch began.
    insert into chain.spend (token_id, kind, epoch, owner, operator, recipient, amount, within_limits,
      reason, spent_today, payment_ref, timestamp, block, tx, log_index)
      select 1, case when k = ${PAYMENTS} and d = 3 then 'REFUSED' else 'ALLOWED' end, e,
        ${ACCOUNT("1")}, ${ACCOUNT("1")}, ${ACCOUNT("2")}, 1, true, 'NONE',
        case when d = 10 and e = 2 then k - ${PAYMENTS / 2}
          when k = ${PAYMENTS} and d = 3 then k - 1 else k end,
        ${HASH("1")}, (${TODAY} - d) * 86400 + k * 60, 49000 - d, ${HASH("d * 1000 + k")}, k
      from (select d, k, case when d < 10 or (d = 10 and k > ${PAYMENTS / 2}) then 2 else 1 end as e
        from generate_series(0, 39) as d, generate_series(1, ${PAYMENTS}) as k
        where d not in (1, 2)) as payments;
    insert into chain.spend (token_id, kind, epoch, owner, operator, recipient, amount, within_limits,
      reason, spent_today, payment_ref, timestamp, block, tx, log_index)
      select n, 'ALLOWED', 1, ${ACCOUNT("n")}, ${ACCOUNT("n")}, ${ACCOUNT("2")}, 1, true, 'NONE', 1,
        ${HASH("n")}, 1699990000, 48000, ${HASH("n")}, n from generate_series(2, ${AGENTS}) as n`);
  await pool.query(`
    insert into chain.organization (id, admin, founder, name, version, member_count, created_at, created_block, create_tx)
      select n, ${ACCOUNT("1")}, ${ACCOUNT("1")}, 'Waders ' || n, 0, 1, 1, 1, ${HASH("n")} from generate_series(1, ${AGENTS}) as n;
    insert into chain.membership (token_id, organization_id, epoch, version, updated_at, updated_block, update_tx)
      select n, case when n = 50 then null else n end, 1, 1, 1, 1, ${HASH("n")} from generate_series(1, ${AGENTS}) as n`);
  const bind = (from: string, to: string, level: string, change: { own?: number; rest?: string }) =>
    pool.query(`insert into chain.binding (
      from_token_id, to_token_id, binding_id, trust_level, authority, set_by, epoch, to_epoch, version, service_version,
      context_hash, created_at, updated_at, updated_block, update_tx
    ) select ${from}, ${to}, ${HASH("n")}, ${level}, 'OWNER', ${ACCOUNT("1")},
      ${from === "1" ? (change.own ?? 2) : 1}, ${to === "1" ? (change.own ?? 2) : 1}, 1, 0, ${HASH("n")}, n, n, n,
      ${HASH("n")} from generate_series(2, ${AGENTS}) as n where ${change.rest}`);
  // To 2 trusted, 3 limited, 4 revoked, 5 sold, 6 in another epoch, 7 not sealed; 8 in the epoch before.
  await bind("1", "n", "case n when 2 then 4 when 4 then 1 else 2 end", {
    rest: "n between 2 and 7",
  });
  await bind("1", "n", "4", { rest: "n = 8", own: 1 });
  // From 3 as well, and from 30 others.
  await bind("n", "1", "3", { rest: "n = 3 or n between 11 and 40" });
  // Agent 9 is bound by everyone.
  await bind("n", "9", "2", { rest: "n <> 9" });
  await pool.query("analyze");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const dealings = async (tokenId: bigint) =>
  (await createDealingReads(pool).dealings(tokenId)).value;

describe("the dealings of an agent", () => {
  it("have the allowance and the payments of its present epoch", async () => {
    const value = await dealings(1n);
    expect(value?.allowance).toEqual({
      version: 3,
      active: true,
      perTransaction: 2_000_000n,
      dailyLimit: 5_000_000n,
      validUntil: 1_800_000_000n,
      onlyWithAgentWallet: false,
    });
    const full = BigInt(PAYMENTS);
    expect(value?.spending).toEqual([
      { day: TODAY - 10, spent: full / 2n },
      ...[9, 8, 7, 6, 5, 4].map((ago) => ({ day: TODAY - ago, spent: full })),
      { day: TODAY - 3, spent: full - 1n },
      { day: TODAY, spent: full },
    ]);
  });

  it("name the organization that it is recorded in", async () => {
    expect((await dealings(3n))?.organizationName).toBe("Waders 3");
  });

  it("name the partners whose seals are valid, those that it chose itself first", async () => {
    const value = await dealings(1n);
    const { partners, more, isPartial } = value?.bindings ?? { partners: [] };
    expect(
      partners.map(({ agentName, outbound, inbound }) => [agentName, outbound, inbound]),
    ).toEqual([
      ["agent-2", "trusted", null],
      ["agent-3", "limited", "verified"],
      ...[40, 39, 38, 37, 36, 35, 34, 33, 32, 31].map((n) => [`agent-${n}`, null, "verified"]),
    ]);
    expect(partners[0]).toMatchObject({
      tokenId: 2n,
      soulHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect([more, isPartial]).toEqual([20, false]);
  });

  it("say that there may be more partners than were looked at", async () => {
    const { bindings } = (await dealings(9n)) ?? {};
    expect([bindings?.partners.length, bindings?.more, bindings?.isPartial]).toEqual([
      12,
      88,
      true,
    ]);
    expect(bindings?.partners[0]?.agentName).toBe(`agent-${AGENTS}`);
  });

  it("are empty for an agent without any, and null for none", async () => {
    expect(await dealings(50n)).toEqual({
      organizationName: null,
      allowance: null,
      spending: [{ day: TODAY, spent: 1n }],
      bindings: {
        partners: [expect.objectContaining({ agentName: "agent-9", outbound: "limited" })],
        more: 0,
        isPartial: false,
      },
    });
    expect(await dealings(999_999n)).toBeNull();
  });

  it("read a bounded number of rows, each by an index", async () => {
    for (const tokenId of [1n, 9n]) {
      const { pool: recording, sent } = recordingPool(pool);
      await createDealingReads(recording).dealings(tokenId);
      const [statement] = sent;
      if (statement === undefined || sent.length > 1) throw new Error("They are one statement.");
      const { rows } = await pool.query(
        `explain (analyze, format json) ${statement.text}`,
        statement.values,
      );
      const scans = scansOf(rows[0]["QUERY PLAN"][0].Plan);
      expect(scans.filter((scan) => /Seq Scan/.test(scan["Node Type"]))).toEqual([]);
      // Two lists of 100 bindings with soul and passport each, and one payment of each of 30 days.
      expect(scans.reduce((sum, scan) => sum + rowsOf(scan), 0)).toBeLessThan(700);
    }
  });

  it("are not shown from an index that is too old", async () => {
    const reads = createDealingReads(pool);
    expect(await currentDealings(reads, { isFresh: () => false })(1n)).toBeNull();
    const shown = await currentDealings(reads, { isFresh: ({ block }) => block === 50_000n })(1n);
    expect(shown?.value.allowance?.version).toBe(3);
  });
});

describe("an allowance", () => {
  const at = { timestamp: 1_000n };
  const set = {
    version: 1,
    active: true,
    perTransaction: 1n,
    dailyLimit: 1n,
    validUntil: 1_000n,
    onlyWithAgentWallet: false,
  };

  it.each([
    ["none", null],
    ["none", { ...set, version: 0 }],
    ["ended", { ...set, active: false, validUntil: null }],
    ["expired", { ...set, validUntil: 999n }],
    ["active", set],
  ] as const)("stands as %s", (standing, allowance) => {
    expect(allowanceStanding(allowance, at)).toBe(standing);
  });

  it("is drawn for 30 days, of which most may be without a payment", () => {
    const days = everyDay([{ day: 0, spent: 7n }], { timestamp: 29n * 86_400n });
    expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, day) => day));
    expect(days.filter(({ spent }) => spent > 0n)).toEqual([{ day: 0, spent: 7n }]);
  });
});
