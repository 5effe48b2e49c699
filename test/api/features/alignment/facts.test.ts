import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFactSource } from "../../../../api/features/alignment/facts/facts.store.ts";
import { createPassportFileAt } from "../../../../api/features/alignment/facts/passport-file.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { alignmentOf } from "../../../../protocol/index.ts";
import { INDEXED_TIME, seedAlignment } from "../../../fixtures/alignment-index.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// What is gathered of agents whose rows stand in tables built from the indexer's schema.

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await seedAlignment(pool, 40);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const source = () =>
  createFactSource({
    db: drizzle(pool),
    place: { chainId: 31_337, identityRegistry: `0x${"22".repeat(20)}` },
    fileAt: createPassportFileAt({
      inspect: async () => ({ state: "missing" }),
      storageUrl: "https://agents.example/ar/",
    }),
  });

const kindsOf = (facts: readonly { readonly kind: string }[]) => {
  const kinds: Record<string, number> = {};
  for (const { kind } of facts) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
};

it("gathers the facts of one agent, each with its place on chain", async () => {
  const { at, agents } = await source().gather([8n]);
  const [agent] = agents;
  expect(at.timestamp).toBe(BigInt(INDEXED_TIME));
  expect(agent).toMatchObject({
    tokenId: 8n,
    agentName: "agent-number-8",
    passportId: 8n,
    epoch: 1,
    status: "SEALED",
    isHeldBySealer: true,
    recordedScore: null,
  });
  const facts = agent?.facts ?? [];
  expect(kindsOf(facts)).toEqual({
    registered: 1,
    sealed: 1,
    operator: 1,
    overspending: 1,
    binding: 5,
    // Of the owners of agents 9 to 13.
    feedback: 5,
    reviewer: 5,
    // Its own, and that of agent 12.
    membership: 2,
    organization: 2,
    payment: 1,
    tasks: 1,
    records: 1,
    documents: 1,
    registrationFile: 1,
    requests: 1,
  });
  for (const fact of facts) {
    if (!("place" in fact)) continue;
    expect(fact).toMatchObject({
      place: {
        blockNumber: expect.any(BigInt),
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        logIndex: expect.any(Number),
      },
      timestamp: expect.any(BigInt),
    });
  }
  const uri = (await pool.query("select uri from chain.passport where id = 8")).rows[0].uri;
  expect(facts).toContainEqual({
    kind: "registrationFile",
    uriHash: keccak256(stringToHex(uri)),
    consistent: true,
  });
  expect(facts).toContainEqual({ kind: "records", operatorChange: 1, soulRevision: 0 });
  // Nothing of its soul is public: no chronicle can be compared.
  expect(facts).toContainEqual({
    kind: "tasks",
    chronicles: { counted: 0, fitting: 0 },
    skills: { counted: 0, fitting: 0 },
  });
});

it("gathers the same of an agent alone as among many", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
  const { agents } = await source().gather(ids);
  expect(agents).toHaveLength(40);
  for (const agent of agents) {
    const alone = (await source().gather([agent.tokenId])).agents[0];
    const moment = { tokenId: agent.tokenId, epoch: 1, timestamp: BigInt(INDEXED_TIME) };
    expect(alignmentOf(agent.facts, moment)).toEqual(alignmentOf(alone?.facts ?? [], moment));
  }
});

it("sends as many statements for many agents as for one", async () => {
  const counted = async (ids: readonly bigint[]) => {
    let statements = 0;
    const db = drizzle(pool, { logger: { logQuery: () => (statements += 1) } });
    const place = { chainId: 31_337, identityRegistry: `0x${"22".repeat(20)}` } as const;
    await createFactSource({ db, place, fileAt: async () => null }).gather(ids);
    return statements;
  };
  const ids = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
  expect(await counted(ids)).toBe(await counted([8n]));
});

it("goes on with other agents when the file of one cannot be looked for", async () => {
  const broken = createFactSource({
    db: drizzle(pool),
    place: { chainId: 31_337, identityRegistry: `0x${"22".repeat(20)}` },
    fileAt: async (uri) => {
      if (uri.includes("agent-number-9")) throw new ApiError("STORAGE_UNAVAILABLE");
      return null;
    },
  });
  const { agents } = await broken.gather([8n, 9n, 10n]);
  const known = agents.map(({ tokenId, isFileKnown }) => [tokenId, isFileKnown]);
  expect(known).toEqual(
    expect.arrayContaining([
      [8n, true],
      [9n, false],
      [10n, true],
    ]),
  );
});

it("reads nothing of accounts without a valid soul", async () => {
  await pool.query(`insert into chain.feedback (passport_id, client, feedback_index, value,
      value_decimals, tag1, responses, given_at, given_block, give_tx, give_log_index)
    select 20, '0x' || repeat('e', 32) || lpad(to_hex(n), 8, '0'), 1, 100, 0, 'starred', 0, ${INDEXED_TIME - 10}, 4500,
      '0x' || repeat('00', 32), n from generate_series(1, 1000) as n`);
  const { agents } = await source().gather([20n]);
  expect(kindsOf(agents[0]?.facts ?? []).feedback).toBe(5);
});
