import { sql } from "drizzle-orm";
import { getAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createConsoleReads } from "../../../../api/features/console/console.store.ts";
import { createRecordReads } from "../../../../api/features/explorer/records.store.ts";
import { differenceStore } from "../../../../api/features/life/index-comparison.store.ts";
import { createPassportWatch } from "../../../../api/features/life/passport-watch.ts";
import { createSuspensionCandidates } from "../../../../api/features/life/suspension-candidates.store.ts";
import { suspensionStore } from "../../../../api/features/life/suspensions.store.ts";
import { createAgentList } from "../../../../api/features/profile/agents.store.ts";
import type { AgentFilter } from "../../../../api/features/profile/agents.ts";
import { createSignInReads } from "../../../../api/features/sign-in/reads.store.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createAskedPassports } from "../../../../api/soul/comparison/asked.store.ts";
import { type ChainReads, createChainReads } from "../../../../api/soul/indexed.store.ts";
import { validityOf } from "../../../../api/soul/validity.ts";
import { seedManyAgents } from "../../../fixtures/many-agents.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// The index is compared with a chain that is a copy of it, which each test changes.

const AGENTS = 250;
/** Passports of the calls of one round. */
const ROUND = [100, 100, 50];
const INDEXED = 50_000n;
const BUYER = getAddress(`0x${"b0".repeat(20)}`);
const NOW = new Date("2026-03-03T12:00:00.000Z");
const running = new AbortController().signal;

let database: TestDatabase;
let connection: DatabaseConnection;
let reads: ChainReads;
let calls: number[] = [];
let transferBlock: bigint | null = null;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  await seedManyAgents(connection.pool, AGENTS);
  reads = createChainReads(connection.pool);
  await connection.pool.query(`create table public.truth as
    select s.passport_id, s.token_id, s.epoch, s.version, s.sealer, s.name, p.owner,
      s.suspended_owner is not null as suspended
    from chain.soul s join chain.passport p on p.id = s.passport_id where s.status <> 'BURNED'`);
  await connection.pool.query("create table public.kept as table public.truth");
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});
beforeEach(async () => {
  calls = [];
  transferBlock = null;
  await connection.pool.query(`truncate public.truth, app.index_fault, app.passport_difference,
    app.passport_asked, app.passport_suspension, app.passport_watch; insert into public.truth table public.kept`);
});

interface Truth {
  passport_id: string;
  token_id: string;
  epoch: number;
  version: number;
  sealer: `0x${string}`;
  name: string;
  owner: `0x${string}`;
  suspended: boolean;
}

function watchWith(parts: { confirmations?: number; souls?: bigint } = {}) {
  const candidates = createSuspensionCandidates(connection.pool);
  return createPassportWatch({
    index: { ...candidates, indexedBlock: reads.indexedBlock },
    store: suspensionStore(connection.db),
    differences: differenceStore(connection.db),
    jobs: { send: async () => undefined } as never,
    events: { emit: async () => undefined },
    clock: () => NOW,
    confirmations: parts.confirmations ?? 1,
    chainId: 31337,
    chain: {
      async passportsAt(ids) {
        calls.push(ids.length);
        const { rows } = await connection.pool.query<Truth>(
          "select * from public.truth where passport_id = any($1)",
          [ids.map(String)],
        );
        const byId = new Map(rows.map((row) => [row.passport_id, row]));
        return ids.map((passportId) => {
          const row = byId.get(passportId.toString());
          if (row === undefined) return { passportId, owner: null, soul: null };
          const { epoch, version, name, suspended } = row;
          const sealer = getAddress(row.sealer);
          const tokenId = BigInt(row.token_id);
          const soul = { tokenId, epoch, version, name, sealer, suspended };
          return { passportId, owner: getAddress(row.owner), soul };
        });
      },
      countersAt: async () => ({ souls: parts.souls ?? BigInt(AGENTS), organizations: 0n }),
      transferTo: async () => transferBlock,
    },
  });
}

const compare = (parts: Parameters<typeof watchWith>[0] = {}) => watchWith(parts).compare(running);

const rows = async (query: ReturnType<typeof sql>) => (await connection.db.execute(query)).rows;
const faults = () =>
  rows(sql`select from_block::int as first, to_block::int as last, detail,
    mended_at is not null as mended from app.index_fault order by id`);
const differing = () =>
  rows(sql`select passport_id::int as passport, token_id::int as token, seen_block::int as seen
    from app.passport_difference order by 1`);
const change = (set: string, passportId: number) =>
  connection.pool.query(`update public.truth set ${set} where passport_id = ${passportId}`);
const setSince = (block: string) =>
  connection.pool.query(
    `update chain.passport set owner_since_block = ${block} where id = ${PASSPORT}`,
  );
/** An agent that is sealed and with its sealer. */
const PASSPORT = 7;

describe("an index that agrees with the contracts", () => {
  it("is compared in pages, each in one call", async () => {
    await compare();
    expect(calls).toEqual(ROUND);
    expect([await faults(), await differing()]).toEqual([[], []]);
    expect(await suspensionStore(connection.db).cursor("poll")).toEqual({ block: 0n, id: 0n });
    expect((await reads.progress()).isComplete).toBe(true);
  });

  it("may have a sale that is younger than the settled block", async () => {
    await setSince(`${INDEXED}`);
    await change(`owner = '${BUYER.toLowerCase()}'`, PASSPORT);
    await compare({ confirmations: 2 });
    expect(await differing()).toEqual([]);
    await setSince("7");
  });
});

describe("a passport that differs", () => {
  it("is too old for every decision, and names the block of its sale, until it agrees", async () => {
    await change(`owner = '${BUYER.toLowerCase()}'`, PASSPORT);
    transferBlock = 49_000n;
    const blockOf = async (tokenId: bigint) => (await reads.holding(tokenId)).at.block;
    expect(await blockOf(7n)).toBe(INDEXED);
    await compare();
    expect([await faults(), (await differing()).length]).toEqual([[], 1]);
    await compare();
    expect(calls).toEqual([...ROUND, 1, ...ROUND]);
    const fault = { first: 49_000, last: 49_000, detail: "passport 7", mended: false };
    expect(await faults()).toEqual([fault]);
    expect(await differing()).toEqual([{ passport: 7, token: 7, seen: Number(INDEXED) }]);

    const token = { jti: "a", agentId: 7n, tokenId: 7n } as never;
    const { at } = await createSignInReads(connection.pool).tokenStanding(token);
    expect([
      await blockOf(7n),
      (await reads.passport(7n)).at.block,
      at.block,
      await blockOf(8n),
    ]).toEqual([0n, 0n, 0n, INDEXED]);
    expect(at.timestamp).toBe((await reads.passport(8n)).at.timestamp);
    expect((await reads.progress()).isComplete).toBe(false);

    await connection.pool.query(
      `truncate public.truth; insert into public.truth table public.kept`,
    );
    await compare();
    expect(await differing()).toEqual([]);
    expect(await faults()).toEqual([{ ...fault, mended: true }]);
    expect(await blockOf(7n)).toBe(INDEXED);
  });

  it("is listed with the owner on chain, and not as valid", async () => {
    const { pool, db } = connection;
    const [list, records] = [createAgentList(pool), createRecordReads(pool)];
    const [sealer] = await rows(sql`select owner from chain.passport where id = ${PASSPORT}`);
    const seller = getAddress(String(sealer?.owner));
    const cursor = { order: "registered", after: null } as const;
    const page = { limit: 25, after: null };
    const listed = async (filter: AgentFilter) => {
      const { at, value } = await list.agents(filter, cursor, 300);
      expect(at.block).toBe(INDEXED);
      const found = value.find(({ soul }) => soul.tokenId === 7n);
      return found && { owner: found.passport?.owner, validity: validityOf(found) };
    };
    const everywhere = async () => ({
      all: await listed({}),
      valid: await listed({ validity: "valid" }),
      seller: await listed({ owner: seller }),
      buyer: await listed({ owner: BUYER }),
      passport: (await records.passport(7n, page)).value?.passport.owner,
      souls: (await records.passport(7n, page)).value?.souls.map((soul) => soul.soulValidity),
      certificate: (await records.certificate(7n, page)).value?.soul.soulValidity,
      accounts: await Promise.all(
        [seller, BUYER].map(async (account) =>
          (await records.account(account, page)).value.passports.entries.map((of) => of.passportId),
        ),
      ),
      indexed: (await reads.passport(7n)).value?.owner,
      holding: (await reads.holding(7n)).value?.passport?.owner,
      ofOwner: await Promise.all(
        [seller, BUYER].map(async (account) =>
          (await reads.passportsOfOwner(account, 10)).value.map(({ id, owner }) => [id, owner]),
        ),
      ),
      console: await Promise.all(
        [seller, BUYER].map(async (account) =>
          (await createConsoleReads(db).agentsOf(account, page, NOW)).map(
            ({ tokenId, standing }) => [tokenId, standing],
          ),
        ),
      ),
    });
    const valid = { owner: seller, validity: "valid" };
    const before = {
      all: valid,
      valid,
      seller: valid,
      buyer: undefined,
      passport: seller,
      souls: ["valid"],
      certificate: "valid",
      accounts: [[7n], []],
      indexed: seller,
      holding: seller,
      ofOwner: [[[7n, seller]], []],
      console: [[[7n, "owned"]], []],
    };
    expect(await everywhere()).toEqual(before);

    await change(`owner = '${BUYER.toLowerCase()}'`, PASSPORT);
    await compare();
    const suspended = { owner: BUYER, validity: "suspended" };
    const sold = {
      all: suspended,
      valid: undefined,
      seller: undefined,
      buyer: suspended,
      passport: BUYER,
      souls: ["suspended"],
      certificate: "suspended",
      accounts: [[], [7n]],
      indexed: BUYER,
      holding: BUYER,
      ofOwner: [[], [[7n, BUYER]]],
      console: [[], [[7n, "suspended"]]],
    };
    expect(await everywhere()).toEqual(sold);

    // The index knows of a sale after the comparison.
    await setSince(`${INDEXED + 1n}`);
    expect(await everywhere()).toMatchObject({
      all: { owner: seller, validity: "suspended" },
      passport: seller,
      accounts: [[7n], []],
    });
    await setSince("null");
  });

  it.each(["version = version + 1", "epoch = epoch + 1", "suspended = true"])(
    "is found by its soul: %s",
    async (set) => {
      await change(set, PASSPORT);
      await compare();
      await compare();
      expect(await differing()).toEqual([{ passport: 7, token: 7, seen: Number(INDEXED) }]);
      expect(await faults()).toEqual([
        { first: 7, last: Number(INDEXED), detail: "passport 7", mended: false },
      ]);
    },
  );

  it("is not one any more once its soul has ended in index and contracts", async () => {
    await connection.pool.query(
      `insert into app.passport_difference values (9999, 9999, now(), 1)`,
    );
    await compare();
    expect(await differing()).toEqual([]);
  });
});

describe("a passport that the index saw moving", () => {
  it("is compared with it when the watch comes to it", async () => {
    await change(`owner = '${BUYER.toLowerCase()}'`, PASSPORT);
    await watchWith().followTraces(running);
    expect(calls).toEqual(ROUND);
    expect(await differing()).toEqual([{ passport: 7, token: 7, seen: Number(INDEXED) }]);
  });
});

describe("a passport that was asked for", () => {
  const cursor = () => suspensionStore(connection.db).cursor("poll");

  it("is compared before the sweep goes on, once, and no others are", async () => {
    const asked = createAskedPassports(connection.db);
    asked.note(200n);
    asked.note(3n);
    asked.note(200n);
    await asked.store();
    await connection.pool.query("insert into app.passport_watch values ('poll', 0, 240, 0)");
    expect((await cursor()).id).toBe(240n);
    await change(`owner = '${BUYER.toLowerCase()}'`, 200);
    await change(`owner = '${BUYER.toLowerCase()}'`, 100);
    await compare();
    expect(calls).toEqual([2, 11]);
    expect((await differing()).map(({ passport }) => passport)).toEqual([200]);
    expect(await rows(sql`select * from app.passport_asked`)).toEqual([]);
  });

  it("is one of at most 500 that a process notes, and of 1,000 that are stored", async () => {
    const stored = async () =>
      (await rows(sql`select count(*)::int as n from app.passport_asked`))[0]?.n;
    const noting = async (from: number) => {
      const asked = createAskedPassports(connection.db);
      for (let id = from; id < from + 600; id += 1) asked.note(BigInt(id));
      await asked.store();
      return stored();
    };
    expect([await noting(0), await noting(1_000), await noting(2_000)]).toEqual([
      500, 1_000, 1_000,
    ]);
    await compare();
    expect(await stored()).toBe(500);
  });

  it("may be noted while there is no database", async () => {
    const asked = createAskedPassports({
      execute: () => Promise.reject(new Error("no database")),
    } as never);
    asked.note(1n);
    await asked.store();
  });
});

describe("a soul that the index lacks", () => {
  it("is noticed by its number, until the index has it", async () => {
    await compare({ souls: BigInt(AGENTS) + 1n });
    const fault = { first: 0, last: Number(INDEXED) - 30, detail: "souls", mended: false };
    expect(await faults()).toEqual([fault]);
    await compare();
    expect(await faults()).toEqual([{ ...fault, mended: true }]);
  });
});
