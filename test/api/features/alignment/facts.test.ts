import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFactSource } from "../../../../api/features/alignment/facts/facts.store.ts";
import { createPassportFileAt } from "../../../../api/features/alignment/facts/passport-file.ts";
import {
  createScoring,
  type ScoringDeps,
} from "../../../../api/features/alignment/snapshots/scoring.store.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { type AlignmentContracts, alignmentOf } from "../../../../protocol/index.ts";
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
    fileAt: createPassportFileAt(async () => ({ state: "missing" }), "https://agents.example/ar/"),
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

const scoringAt = (block: ScoringDeps["block"]) =>
  createScoring({
    facts: source(),
    chainId: 31_337,
    contracts: {} as AlignmentContracts,
    issuer: `0x${"11".repeat(20)}`,
    clock: () => new Date(),
    block,
  });

it("keeps a snapshot open that was asked for at a later block than the index shows", async () => {
  await pool.query(
    `update chain.soul_epoch set started_at = ${INDEXED_TIME} - 30 * 86400 + 1 where token_id = 34`,
  );
  const scoring = scoringAt(async () => ({
    hash: `0x${"33".repeat(32)}`,
    timestamp: BigInt(INDEXED_TIME),
  }));
  const open = [{ id: "of 34", tokenId: 34n, epoch: 1, createdAt: new Date() }];
  expect(await scoring.score(open)).toEqual([{ id: "of 34", result: { kind: "later" } }]);
});

it("says why a scored soul must not be recorded any more", async () => {
  const scoring = scoringAt(async () => null);
  await pool.query(`update chain.soul set status = 'BURNED' where token_id = 31;
    update chain.soul set suspended_owner = owner where token_id = 32;
    update chain.soul set epoch = 2 where token_id = 33;
    update chain.soul_epoch set epoch = 2 where token_id = 33`);
  const open = [30n, 31n, 32n, 33n].map((tokenId) => ({ id: `of ${tokenId}`, tokenId, epoch: 1 }));
  expect(await scoring.ended(open)).toEqual([
    { id: "of 31", reason: "The soul is burned." },
    { id: "of 32", reason: "The soul is suspended." },
    { id: "of 33", reason: "The soul was resealed." },
  ]);
});

const factOf = async (tokenId: bigint, kind: string) =>
  (await source().gather([tokenId])).agents[0]?.facts.find((fact) => fact.kind === kind);

describe("chronicles of decisions", () => {
  const HOUR = 3600;
  const changeOperator = (tokenId: number, version: number, age: number) =>
    pool.query(
      `insert into chain.operator_change
         (token_id, version, epoch, previous_operator, operator, timestamp, block, tx, log_index)
       values ($1, $2::int, 1, '0x01', '0x02', $3, 4600, '0x00', $2::int)`,
      [tokenId, version, INDEXED_TIME - age],
    );
  const recordChange = (tokenId: number, id: number, version: number) =>
    pool.query(
      `insert into app.chronicle (token_id, chronicle_id, epoch, category, change_type, recorded_at,
         data, content_hash, archive_id, leaf, authority, operation_key, message)
       values ($1, $2::int, 1, 'technical', 'operator_change', to_timestamp($3), '{}', 'hash', 'archive',
         decode(md5($5), 'hex'), 'owner', $5, $4)`,
      [
        tokenId,
        id,
        INDEXED_TIME - HOUR,
        JSON.stringify({ version: version - 1 }),
        `${tokenId}+${id}`,
      ],
    );
  const adherence = async (tokenId: bigint) => {
    const { at, agents } = await source().gather([tokenId]);
    const moment = { tokenId, epoch: 1, timestamp: at.timestamp };
    return alignmentOf(agents[0]?.facts ?? [], moment).breakdown.protocolAdherence;
  };

  it("do not hide with that of a fresh decision that an older one has none", async () => {
    // Agent 21 has a recorded change; the second one has no chronicle.
    await changeOperator(21, 2, 30 * HOUR);
    expect(await adherence(21n)).toBe(80);
    await changeOperator(21, 3, HOUR);
    await recordChange(21, 100, 3);
    expect(await factOf(21n, "records")).toMatchObject({ operatorChange: 1 });
    expect(await adherence(21n)).toBe(80);
    await recordChange(21, 101, 2);
    expect(await adherence(21n)).toBe(100);
  });
});

describe("requests for disclosure", () => {
  const DAYS = 86_400;
  const ask = (from: number, to: number, state: string, daysAgo = 10) =>
    pool.query(
      `insert into app.disclosure_request (id, requester_token_id, requester_epoch, requester_name,
         requester_did, target_token_id, target_epoch, target_name, target_did, requested_fields,
         given, pending, rejected, reason, freshness_required, webhook_sent, state, created_at,
         expires_at, answered_at)
       values (gen_random_uuid(), $1, 1, 'a', 'did', $2, 1, 'b', 'did', '{}', '{}', '[]', '[]', '',
         false, false, $3, to_timestamp($4), to_timestamp($4),
         case when $3 = 'fulfilled' then to_timestamp($4) end)`,
      [from, to, state, INDEXED_TIME - daysAgo * DAYS],
    );

  it("are counted by owner, each once, and by what the seal itself says of a human", async () => {
    // Every third agent was sealed with an attestation.
    await ask(3, 22, "fulfilled");
    await ask(3, 22, "expired");
    await ask(6, 22, "expired");
    await ask(1, 22, "fulfilled");
    await ask(1, 22, "fulfilled");
    await ask(2, 22, "expired");
    // Attested before, but not by its present seal.
    await pool.query("update chain.soul set human_verifier = $1 where token_id = 2", [
      `0x${"07".repeat(20)}`,
    ]);
    expect(await factOf(22n, "requests")).toMatchObject({
      humanVerified: { asked: 2, missed: 2 },
      others: { asked: 2, missed: 1 },
    });
  });

  it("of the agent's own owner, of young seals, still open or over a year old do not count", async () => {
    await ask(23, 23, "expired");
    await ask(1, 23, "pending_approval");
    await ask(2, 23, "cancelled");
    await ask(4, 23, "expired", 366);
    await ask(5, 23, "expired");
    await pool.query("update chain.soul_revision set timestamp = $1 where token_id = 5", [
      INDEXED_TIME - 29 * DAYS,
    ]);
    expect(await factOf(23n, "requests")).toMatchObject({
      humanVerified: { asked: 0, missed: 0 },
      others: { asked: 0, missed: 0 },
    });
    await pool.query("update chain.soul_revision set timestamp = $1 where token_id = 5", [
      INDEXED_TIME - 30 * DAYS,
    ]);
    expect(await factOf(23n, "requests")).toMatchObject({ others: { asked: 1, missed: 1 } });
  });
});

describe("disclosures beyond the owner's policy", () => {
  const policy = (condition: string) => ({
    name: "Mine",
    preferredMode: "either",
    rules: [{ fields: ["soul.purpose"], condition }],
    defaultExpiry: "30d",
  });
  const setPolicy = (condition: string, from: number, until: number | null) =>
    pool.query(
      `insert into app.disclosure_policy (id, token_id, epoch, name, policy, created_at, ended_at)
       values (gen_random_uuid(), 24, 1, 'Mine', $1, to_timestamp($2), to_timestamp($3::bigint))`,
      [JSON.stringify(policy(condition)), INDEXED_TIME - from, until && INDEXED_TIME - until],
    );
  const disclose = (age: number, trigger = "manual", recipient: number | null = 9) =>
    pool.query(
      `insert into app.disclosure (id, token_id, epoch, agent_name, fields, recipient_token_id,
         recipient_did, trigger, issued_at)
       values (gen_random_uuid(), 24, 1, 'a', '{soul.purpose}', $1::int,
         case when $1::int is not null then 'did:svc:31337:agent-number-9' end, $2, to_timestamp($3))`,
      [recipient, trigger, INDEXED_TIME - age],
    );
  const beyond = async () => {
    const fact = await factOf(24n, "requests");
    return fact !== undefined && "beyondPolicy" in fact ? fact.beyondPolicy : null;
  };

  it("are those that the policy of that moment refused to the recipient", async () => {
    await disclose(5000);
    // There was no policy yet.
    expect(await beyond()).toBe(0);
    await setPolicy("never", 4000, 2000);
    await setPolicy("any", 2000, null);
    expect(await beyond()).toBe(0);
    await disclose(3000);
    await disclose(2500);
    expect(await beyond()).toBe(2);
    await disclose(1000);
    expect(await beyond()).toBe(2);
    // To the public, and by a rule or a request, which are checked when they are given.
    await disclose(3000, "manual", null);
    await disclose(3000, "policy_auto");
    await disclose(3000, "disclosure_request");
    expect(await beyond()).toBe(2);
  });
});

describe("work that is compared with the sealed soul", () => {
  const publish = (publicFields: object) =>
    pool.query(
      `insert into app.registration (id, name, owner, state, payload, leaves, created_at, updated_at)
       select gen_random_uuid(), name, owner, 'complete',
         json_build_object('request', json_build_object('soulHash', soul_hash, 'publicFields', $1::json)),
         '[]', now(), now() from chain.soul where token_id = 25`,
      [JSON.stringify(publicFields)],
    );

  it("is compared with public leaves only", async () => {
    // Its five chronicles name the skill `counting`, and its soul is private.
    expect(await factOf(25n, "tasks")).toMatchObject({ chronicles: { counted: 0, fitting: 0 } });
    await publish({ "identity.agent_type": "specialist" });
    expect(await factOf(25n, "tasks")).toMatchObject({ chronicles: { counted: 0, fitting: 0 } });
    await pool.query("delete from app.registration");
    await publish({ "capabilities.skills": ["drawing"] });
    expect(await factOf(25n, "tasks")).toMatchObject({ chronicles: { counted: 5, fitting: 0 } });
    await pool.query("delete from app.registration");
    await publish({ "capabilities.skills": ["Counting"] });
    expect(await factOf(25n, "tasks")).toMatchObject({ chronicles: { counted: 5, fitting: 5 } });
  });
});
