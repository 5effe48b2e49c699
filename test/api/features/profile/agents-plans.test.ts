import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createAgentList,
  type ListedAgentRecord,
} from "../../../../api/features/profile/agents.store.ts";
import {
  type AgentFilter,
  type AgentOrder,
  ALL_AGENT_ORDERS,
} from "../../../../api/features/profile/agents.ts";
import { createRecordReads } from "../../../../web/explorer/records.store.ts";
import { recordingPool } from "../../../fixtures/index-tables.ts";
import {
  ANSWERING,
  accountOf,
  FREQUENT_CATEGORY,
  FREQUENT_WORD,
  LARGE_ORGANIZATION,
  nameOf,
  OPERATORS,
  RARE_CATEGORY,
  RARE_WORD,
  SMALL_ORGANIZATION,
  seedManyAgents,
} from "../../../fixtures/many-agents.ts";
import { scansOf } from "../../../fixtures/plan-steps.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// How PostgreSQL finds agents among many: with SVC_SOAK=1 100,000, and it says the times. The test
// runs the service's statements on tables built from the indexer's schema.

const SOAK = process.env.SVC_SOAK === "1";
const AGENTS = SOAK ? 100_000 : 20_000;
const MIDDLE = AGENTS / 2 - 1;
const PAGE = 25;

let database: TestDatabase;
let pool: pg.Pool;
const times: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await seedManyAgents(pool, AGENTS);
}, 300_000);
afterAll(async () => {
  if (SOAK) console.log(times.join("\n"));
  await pool.end();
  await database.drop();
});

/** The answer of a read, and every table that its statements read from end to end. */
async function explained<T>(title: string, read: (of: pg.Pool) => Promise<T>) {
  const { pool: recording, sent } = recordingPool(pool);
  const value = await read(recording);
  const scanned: string[] = [];
  for (const { text, values } of sent) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values);
    const steps = scansOf(rows[0]["QUERY PLAN"][0].Plan).map(
      (step) => `${step["Node Type"]} of ${step["Relation Name"]}`,
    );
    scanned.push(...steps.filter((step) => /^(?:Parallel )?Seq Scan/.test(step)));
  }
  if (SOAK) times.push(await timed(title, () => read(pool)));
  return { value, scanned, statements: sent.length };
}

async function timed(title: string, read: () => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await read();
    taken.push(performance.now() - start);
  }
  const [, , median = 0, , longest = 0] = taken.sort((one, other) => one - other);
  return `${title}: ${median.toFixed(1)} ms, at most ${longest.toFixed(1)}`;
}

const tokenIds = (agents: readonly ListedAgentRecord[]) =>
  agents.map(({ soul }) => Number(soul.tokenId));

async function listed(filter: AgentFilter, order: AgentOrder, after: string | null = null) {
  const title = `${JSON.stringify(filter, (_key, value) => (typeof value === "bigint" ? Number(value) : value))} by ${order}${after === null ? "" : ", a later page"}`;
  const { value, ...plan } = await explained(title, (of) =>
    createAgentList(of).agents(filter, { order, after }, PAGE),
  );
  return { ...plan, agents: value.value, ids: tokenIds(value.value) };
}

async function onlyText(query: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>(`select ${query} as value`);
  return rows[0]?.value ?? "";
}

/** As the order says, of agents that the test knows from the database. */
const KEYS: Readonly<Record<AgentOrder, string>> = {
  registered: "token_id",
  newest: "token_id desc",
  name: "name",
  active: "last_active_at desc, token_id desc",
  alignment: "alignment_score desc nulls last, token_id desc",
};

async function expected(order: AgentOrder, where: string, offset = 0): Promise<number[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select token_id as id from chain.soul where ${where} order by ${KEYS[order]}
     offset ${offset} limit ${PAGE}`,
  );
  return rows.map(({ id }) => Number(id));
}

/** The cursor behind the agent at a place of the order. */
async function cursorAt(order: AgentOrder, place: number): Promise<string> {
  const { rows } = await pool.query(
    `select token_id, name, last_active_at, alignment_score from chain.soul
     order by ${KEYS[order]} offset ${place - 1} limit 1`,
  );
  const { token_id: id, name, last_active_at: active, alignment_score: score } = rows[0];
  if (order === "name") return name;
  if (order === "active") return `${active}.${id}`;
  return order === "alignment" ? `${score ?? ""}.${id}` : id;
}

/** A condition on the number of an agent, as the fixture has it, on its token id. */
const isWith = (words: string) => `(${words.replaceAll(/\bn\b/g, "token_id")})`;

const FILTERS: readonly (readonly [title: string, filter: AgentFilter, where: string])[] = [
  ["valid", { validity: "valid" }, "validity = 'valid'"],
  ["suspended", { validity: "suspended" }, "validity = 'suspended'"],
  ["not sealed", { validity: "not_linked" }, "validity = 'not_linked'"],
  ["of a type", { type: "specialist" }, "agent_type = 2"],
  [
    "human-verified",
    { isHumanVerified: true },
    "human_verifier is not null and validity = 'valid'",
  ],
  [
    "of a frequent category",
    { category: FREQUENT_CATEGORY },
    isWith("n % 10 = 7 or (n % 2 = 0 and n % 1000 <> 1)"),
  ],
  ["of a rare category", { category: RARE_CATEGORY }, isWith("n % 1000 = 1 and n % 10 <> 7")],
  [
    "of a large organization",
    { organizationId: LARGE_ORGANIZATION },
    `validity = 'valid' and ${isWith("n % 5 = 0 and n % 1000 <> 0")}`,
  ],
  [
    "of a small organization",
    { organizationId: SMALL_ORGANIZATION },
    `validity = 'valid' and ${isWith("n % 1000 = 0")}`,
  ],
  ["whose endpoints answer", { isAnswering: true }, isWith(ANSWERING)],
  [
    "with a frequent word",
    { q: FREQUENT_WORD.slice(0, 5), isInWords: true },
    isWith("(n % 10 = 7 and n % 1000 <> 7) or (n % 2 = 0 and n % 10 <> 7)"),
  ],
  ["with a rare word", { q: `an ${RARE_WORD}`, isInWords: true }, isWith("n % 1000 = 7")],
  ["with a short beginning of a name", { q: "a", isInWords: true }, "name like 'a%'"],
  [
    "of several kinds at once",
    {
      validity: "valid",
      type: "assistant",
      category: FREQUENT_CATEGORY,
      q: "tag2",
      isInWords: true,
    },
    `validity = 'valid' and agent_type = 0 and ${isWith("n % 100 = 2 or n % 100 between 20 and 29")}
      and ${isWith("n % 2 = 0")} and ${isWith("n % 10 <> 7")}`,
  ],
];

describe(`among ${AGENTS} agents, reads without a full scan`, () => {
  it.each(ALL_AGENT_ORDERS)("the first page and the ones behind it, by %s", async (order) => {
    const first = await listed({}, order);
    expect(first).toMatchObject({ scanned: [], statements: 1 });
    expect(first.ids).toEqual(await expected(order, "true"));
    for (const place of [PAGE, MIDDLE, AGENTS - 3]) {
      const page = await listed({}, order, await cursorAt(order, place));
      expect(page).toMatchObject({ scanned: [], statements: 1 });
      expect(page.ids).toEqual(await expected(order, "true", place));
    }
  });

  describe.each(FILTERS)("agents %s", (_title, filter, where) => {
    it.each(ALL_AGENT_ORDERS)("by %s, and its second page", async (order) => {
      const first = await listed(filter, order);
      expect(first.scanned).toEqual([]);
      expect(first.ids).toEqual(await expected(order, where));
      const last = first.agents.at(-1)?.soul;
      if (last === undefined || first.ids.length < PAGE) return;
      const cursors: Readonly<Record<AgentOrder, string>> = {
        registered: `${last.tokenId}`,
        newest: `${last.tokenId}`,
        name: last.name,
        active: `${last.lastActiveAt}.${last.tokenId}`,
        alignment: `${last.alignmentScore ?? ""}.${last.tokenId}`,
      };
      const second = await listed(filter, order, cursors[order]);
      expect(second.scanned).toEqual([]);
      expect(second.ids).toEqual(await expected(order, where, PAGE));
    });
  });

  it.each(ALL_AGENT_ORDERS)("what names one agent, by %s", async (order) => {
    const name = await onlyText(nameOf(`${MIDDLE}`));
    const owner = await onlyText(accountOf(`${MIDDLE}`));
    const operator = await onlyText(accountOf(`${MIDDLE} + ${OPERATORS}`));
    for (const q of [name, name.slice(0, 8), `did:svc:31337:${name}`, owner, operator]) {
      const { scanned, ids } = await listed({ q, isInWords: true }, order);
      expect(scanned).toEqual([]);
      expect(ids).toContain(MIDDLE);
    }
    for (const q of [`${MIDDLE}`, `agent-${MIDDLE}`]) {
      const { scanned, ids } = await listed({ q, isInWords: true }, order);
      expect(scanned).toEqual([]);
      expect(ids).toContain(MIDDLE);
    }
    const owned = await listed({ owner: owner as `0x${string}` }, order);
    expect(owned).toMatchObject({ scanned: [], ids: [MIDDLE] });
    const operated = await listed({ operator: operator as `0x${string}` }, order);
    expect(operated).toMatchObject({ scanned: [], ids: [MIDDLE] });
  });

  it("marks copies and look-alikes on the page that shows them", async () => {
    const { agents } = await listed({ tokenId: 100n }, "newest");
    const name = await onlyText(nameOf("99"));
    expect(agents[0]).toMatchObject({
      duplicateOf: { tokenId: 99n, agentName: name },
      resembles: { tokenId: 99n, agentName: name },
    });
    const { agents: first } = await listed({ tokenId: 99n }, "newest");
    expect(first[0]).toMatchObject({ duplicateOf: null, resembles: null });
  });

  it("a passport, a certificate and an account", async () => {
    const id = BigInt(MIDDLE);
    const owner = (await onlyText(accountOf(`${MIDDLE}`))) as `0x${string}`;
    const page = { limit: 20 };
    const passport = await explained("a passport", (of) =>
      createRecordReads(of).passport(id, { ...page, after: { block: 10_000_000n, logIndex: 0 } }),
    );
    expect(passport).toMatchObject({ scanned: [], statements: 1 });
    expect(passport.value.value).toMatchObject({
      passport: { id, soulTokenId: id },
      metadata: [{ key: "agentWallet" }],
      souls: [{ tokenId: id }],
      trust: { feedback: 1 },
      transfers: { entries: [{ block: id }], next: null },
    });
    const certificate = await explained("a certificate", (of) =>
      createRecordReads(of).certificate(id, { ...page, after: 2 }),
    );
    expect(certificate).toMatchObject({ scanned: [], statements: 1 });
    expect(certificate.value.value).toMatchObject({
      soul: { tokenId: id },
      epochs: { entries: [{ epoch: 1 }], next: null },
    });
    const account = await explained("an account", (of) =>
      createRecordReads(of).account(owner, { ...page, after: 0n }),
    );
    expect(account).toMatchObject({ scanned: [], statements: 1 });
    expect(account.value.value).toMatchObject({
      passports: { entries: [{ passportId: id, soul: { tokenId: id } }] },
    });
  });
});
