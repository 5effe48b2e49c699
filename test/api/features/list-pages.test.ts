import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAllowanceIndex } from "../../../api/features/allowances/history.store.ts";
import { bindingHistory, bindingsOf } from "../../../api/features/bindings/bindings.store.ts";
import { createChronicleStore } from "../../../api/features/chronicles/chronicles.store.ts";
import { createDisclosureStore } from "../../../api/features/disclosure/disclosures.store.ts";
import { createRequestStore } from "../../../api/features/disclosure/requests/requests.store.ts";
import { createOrganizationReads } from "../../../api/features/organizations/organizations.store.ts";
import type { MemberOrder } from "../../../api/features/organizations/organizations.ts";
import type { ListPage } from "../../../api/kernel/list-pages.ts";
import * as indexed from "../../../indexer/ponder.schema.ts";
import {
  createIndexTables,
  recordingPool,
  type SentStatement,
} from "../../fixtures/index-tables.ts";
import { type PlanStep, rowsOf, stepsOf } from "../../fixtures/plan-steps.ts";
import { createDatabase, type TestDatabase } from "../../fixtures/postgres.ts";

// Lists by cursor, each of 600 entries, while entries are added. The stores run on tables built
// from the indexer's schema, and on the service's own.

const ENTRIES = 600;
const HALF = ENTRIES / 2;
const LATER = new Date("2126-01-01");

let database: TestDatabase;
let pool: pg.Pool;

const HASH = "'0x' || md5(n::text) || md5(n::text)";
const ACCOUNT = "'0x' || substr(md5(n::text), 1, 32) || '00000000'";
/** Three entries share each moment, so that the key after it decides. */
const MOMENT = "(timestamptz '2026-01-01' + n / 3 * interval '1 second')";
const UUID = "md5(n::text)::uuid";

const SOULS = `insert into chain.soul (
    token_id, name, name_skeleton, validity, passport_id, owner, sealer, operator, version, passport_version, parent_token_id, epoch, status,
    agent_type, new_passport, revisions, mint_timestamp, mint_block, mint_tx, last_active_at, alignment_score
  ) select n, 'agent-' || md5(n::text), md5(n::text), 'valid', n, ${ACCOUNT}, ${ACCOUNT}, ${ACCOUNT}, 0, 0, 0, 1, 'SEALED', 0, true, 1, n, n,
    ${HASH}, n, case when n % 4 > 0 then n % 90 end`;
const BINDINGS = `insert into chain.binding (
    from_token_id, to_token_id, binding_id, trust_level, authority, set_by, epoch, to_epoch, version, service_version,
    context_hash, created_at, updated_at, updated_block, update_tx
  ) select case when n % 2 = 0 then 1 else n end, case when n % 2 = 0 then n else 1 end, ${HASH}, 3, 'OWNER', ${ACCOUNT},
    1, 1, 1, 0, ${HASH}, n / 3, n, n, ${HASH}`;
const CHANGES = `insert into chain.binding_change (
    from_token_id, to_token_id, version, service_version, previous_trust_level, trust_level, authority, set_by, epoch,
    to_epoch, context_hash, timestamp, block, tx, log_index
  ) select 1, 2, (n + 1) / 2, n / 2, 2, 3, 'OWNER', ${ACCOUNT}, n, 1, ${HASH}, n, n, ${HASH}, 0`;
const SPENDS = `insert into chain.spend (
    token_id, kind, epoch, owner, operator, recipient, amount, within_limits, reason, spent_today, payment_ref, timestamp,
    block, tx, log_index
  ) select 1, 'ALLOWED', 1, ${ACCOUNT}, ${ACCOUNT}, ${ACCOUNT}, n, true, 'NONE', n, ${HASH}, n, n / 3, ${HASH}, n % 3`;
const MEMBERS = `insert into chain.membership
    (token_id, organization_id, epoch, version, updated_at, updated_block, update_tx)
  select n, 1, 1, 1, n, n / 3, ${HASH}`;
const CHRONICLES = `with added as (
    insert into app.chronicle (
      token_id, chronicle_id, epoch, category, change_type, recorded_at, data, content_hash, archive_id, leaf, authority,
      operation_key
    ) select 1, n, 1, 'experience', 'note', ${MOMENT}, '{}', 'hash', 'archive', decode(md5(n::text), 'hex'), 'service', n
      from generate_series($1::int, $2::int) as n returning token_id, chronicle_id, leaf
  ) insert into app.chronicle_state (token_id, chronicle_id, leaf) select token_id, chronicle_id, leaf from added`;
const DISCLOSURES = `insert into app.disclosure (id, token_id, epoch, agent_name, fields, trigger, issued_at)
  select ${UUID}, 1, 1, 'aurora', '{soul.purpose}', 'manual', ${MOMENT}`;
const REQUESTS = `insert into app.disclosure_request (
    id, requester_token_id, requester_epoch, requester_name, requester_did, target_token_id, target_epoch, target_name,
    target_did, requested_fields, given, pending, rejected, reason, freshness_required, webhook_sent, state, created_at,
    expires_at
  ) select ${UUID}, n, 1, 'asker', 'did', 1, 1, 'aurora', 'did', '{}', '{}', '[]', '[]', 'why', false, true,
    'pending_approval', ${MOMENT}, '2127-01-01'`;

/** Adds the entries with the numbers `from` to `to`. */
const add = (statement: string, from: number, to: number) =>
  pool.query(
    statement.includes("$1")
      ? statement
      : `${statement} from generate_series($1::int, $2::int) as n`,
    [from, to],
  );

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { soul, passport, membership, organization, binding, bindingChange, spend } = indexed;
  const tables = [soul, passport, membership, organization, binding, bindingChange, spend];
  await createIndexTables(pool, tables);
  await pool.query(`
    insert into chain.passport (id, owner, transfer_count)
      select n, ${ACCOUNT}, 0 from generate_series(1, ${2 * ENTRIES}) as n;
    insert into chain.organization
      (id, admin, founder, name, version, member_count, created_at, created_block, create_tx)
      select n, ${ACCOUNT}, ${ACCOUNT}, 'Rowers', 0, 1, n, n, ${HASH} from generate_series(1, 1) as n`);
  await add(SOULS, 1, 2 * ENTRIES);
  for (const list of [BINDINGS, CHANGES, SPENDS, MEMBERS, CHRONICLES, DISCLOSURES, REQUESTS]) {
    await add(list, 2, ENTRIES + 1);
  }
  await pool.query("analyze");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Read {
  readonly ids: readonly string[];
  readonly next: unknown;
}

interface List {
  readonly name: string;
  /** What the entries are read from. */
  readonly table: string;
  readonly adds: string;
  /** Whether added entries come at the end of the list, where it is still being read. */
  readonly grows: "before" | "behind";
  read(pool: pg.Pool, page: ListPage<unknown>): Promise<Read>;
}

const none = undefined as never;
const SOUL = { tokenId: 1n, epoch: 1 };

const lists: readonly List[] = [
  {
    name: "listChronicles",
    table: "chronicle",
    adds: CHRONICLES,
    grows: "before",
    async read(from, page) {
      const options = { jobs: none, events: none, clock: none };
      const store = createChronicleStore({ db: drizzle(from), ...options });
      const { chronicles, next } = await store.list(1n, {}, page as never);
      return { ids: chronicles.map(({ chronicleId }) => `${chronicleId}`), next };
    },
  },
  ...(["both", "outbound", "inbound"] as const).map(
    (direction): List => ({
      name: `listBindings, ${direction}`,
      table: "binding",
      adds: BINDINGS,
      grows: "before",
      async read(from, page) {
        const filter = { direction, trustLevel: undefined, includeEnded: false };
        const { value } = await bindingsOf(drizzle(from), 1n, filter, page as never);
        const { bindings, next } = value;
        return { ids: bindings.map((one) => `${one.fromTokenId}-${one.toTokenId}`), next };
      },
    }),
  ),
  {
    name: "getBindingHistory",
    table: "binding_change",
    adds: CHANGES,
    grows: "before",
    async read(from, page) {
      const { rows } = await pool.query(
        "select binding_id from chain.binding where to_token_id = 2",
      );
      const { value } = await bindingHistory(drizzle(from), rows[0].binding_id, page as never);
      if (value === null) throw new Error("There is no such binding.");
      return { ids: value.changes.map(({ epoch }) => `${epoch}`), next: value.next };
    },
  },
  {
    name: "getAllowanceHistory",
    table: "spend",
    adds: SPENDS,
    grows: "before",
    async read(from, page) {
      const all = { ...(page as ListPage<never>), since: null };
      const { value } = await createAllowanceIndex(from).history(1n, all);
      if (value === null) throw new Error("There is no such agent.");
      return { ids: value.entries.map(({ amount }) => `${amount}`), next: value.next };
    },
  },
  ...(["addedAt", "agentName", "soulAlignment"] as const).map(
    (order: MemberOrder): List => ({
      name: `getOrganization, ${order}`,
      table: "membership",
      adds: MEMBERS,
      grows: "behind",
      async read(from, page) {
        const members = { ...(page as ListPage<never>), order };
        const { value } = await createOrganizationReads(from).withMembers(1n, members);
        if (value === null) throw new Error("There is no such organization.");
        return { ids: value.members.map(({ tokenId }) => `${tokenId}`), next: value.next };
      },
    }),
  ),
  {
    name: "listDisclosures",
    table: "disclosure",
    adds: DISCLOSURES,
    grows: "before",
    async read(from, page) {
      const store = createDisclosureStore(drizzle(from));
      const { records, next } = await store.history(SOUL, {}, page as never);
      return { ids: records.map(({ id }) => id), next };
    },
  },
  {
    name: "listDisclosureRequests",
    table: "disclosure_request",
    adds: REQUESTS,
    grows: "behind",
    async read(from, page) {
      const store = createRequestStore(drizzle(from));
      const { requests, next } = await store.waiting(SOUL, LATER, page as never);
      return { ids: requests.map(({ id }) => id), next };
    },
  },
];

/** Numbers of entries that no list has yet. */
let unused = ENTRIES + 2;

describe("a list by cursor", () => {
  it.each(lists)("has each entry of $name once, while entries are added", async (list) => {
    const { ids: before } = await list.read(pool, { limit: 100_000, offset: 0 });
    const seen: string[] = [];
    let after: unknown;
    do {
      const { ids, next } = await list.read(pool, { limit: 90, offset: 0, after });
      seen.push(...ids);
      after = next;
      await add(list.adds, unused, unused + 5);
      unused += 6;
    } while (after !== null);

    expect(before.length).toBeGreaterThanOrEqual(HALF - 1);
    expect(new Set(seen).size).toBe(seen.length);
    const isOld = new Set(before);
    expect(seen.filter((id) => isOld.has(id))).toEqual(before);
    if (list.grows === "before") expect(seen).toEqual(before);
  });

  it.each(lists)("begins within $name without the entries before it", async (list) => {
    const { next: after } = await list.read(pool, { limit: HALF - 50, offset: 0 });
    const { pool: recording, sent } = recordingPool(pool);
    const { ids } = await list.read(recording, { limit: 10, offset: 0, after });
    expect(ids).toHaveLength(10);
    const pages = await Promise.all(sent.map((one) => rowsRead(one, list.table)));
    const [only] = pages.filter((rows) => rows !== null);
    // Orders without an index of their own are sorted, of one organization or agent alone.
    expect(only).toBeLessThan(ORDERED.has(list.name) ? 60 : 2 * ENTRIES);
  });

  it("goes on behind a member that has left", async () => {
    const reads = createOrganizationReads(pool);
    const page = { order: "addedAt" as const, limit: 3, offset: 0 };
    const all = await reads.withMembers(1n, { ...page, limit: 6 });
    const first = await reads.withMembers(1n, page);
    const last = first.value?.members.at(-1)?.tokenId;
    await pool.query("update chain.membership set organization_id = null where token_id = $1", [
      last?.toString(),
    ]);
    const second = await reads.withMembers(1n, { ...page, after: first.value?.next });
    expect(second.value?.members).toEqual(all.value?.members.slice(3));
  });
});

/** Lists whose order is that of an index. */
const ORDERED: ReadonlySet<string> = new Set(
  lists.map(({ name }) => name).filter((name) => !/agentName|soulAlignment|Requests/.test(name)),
);

/** How many rows of a table are read for a page; null for a statement without a limit. */
async function rowsRead({ text, values }: SentStatement, table: string): Promise<number | null> {
  if (!/ limit /.test(text)) return null;
  const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
  const limited = (plan: PlanStep): readonly PlanStep[] =>
    plan["Node Type"] === "Limit" ? [plan] : (plan.Plans ?? []).flatMap(limited);
  return limited(rows[0]["QUERY PLAN"][0].Plan)
    .flatMap(stepsOf)
    .filter((step) => step["Relation Name"] === table)
    .reduce((sum, step) => sum + rowsOf(step), 0);
}
