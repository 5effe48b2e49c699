import { sql } from "drizzle-orm";
import { getAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { differenceStore } from "../../../../api/features/life/index-comparison.store.ts";
import { createIndexComparison } from "../../../../api/features/life/index-comparison.ts";
import { createPassportWatch } from "../../../../api/features/life/passport-watch.ts";
import type { ComparedAllowance } from "../../../../api/features/life/passports.chain.ts";
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
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import { createAskedPassports } from "../../../../api/soul/comparison/asked.store.ts";
import { indexFaults } from "../../../../api/soul/comparison/faults.store.ts";
import { type ChainReads, createChainReads } from "../../../../api/soul/indexed.store.ts";
import { validityOf } from "../../../../api/soul/validity.ts";
import { createConsoleReads } from "../../../../web/console/console.store.ts";
import { createRecordReads } from "../../../../web/explorer/records.store.ts";
import { seedManyAgents } from "../../../fixtures/many-agents.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

// The index is compared with a chain that is a copy of it, which each test changes.

const AGENTS = 250;
/** Passports of the calls of one round. */
const ROUND = [100, 100, 50, 3];
/** Passports without a soul: the last page of a round. */
const SOULLESS = 3;
const INDEXED = 50_000n;
const BUYER = getAddress(`0x${"b0".repeat(20)}`);
const NOW = new Date("2026-03-03T12:00:00.000Z");
const running = new AbortController().signal;

let database: TestDatabase;
let connection: DatabaseConnection;
let reads: ChainReads;
let calls: number[] = [];
let spendingCalls: number[] = [];
/** What the contract says of allowances, where anything happened. */
let spending = new Map<bigint, Partial<ComparedAllowance>>();
let transferBlock: bigint | null = null;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
  await seedManyAgents(connection.pool, AGENTS);
  // Passports without a soul, at the end of the numbers.
  await connection.pool.query(`insert into chain.passport (id, owner, owner_since_block, transfer_count)
    select n, '0x' || repeat('5e', 20), 9, 0 from generate_series(501, 500 + ${SOULLESS}) as n`);
  reads = createChainReads(connection.pool);
  await connection.pool.query(`create table public.truth as
    select s.passport_id, s.token_id, s.epoch, s.version, s.passport_version, s.sealer, s.name, p.owner,
      s.suspended_owner is not null as suspended
    from chain.soul s join chain.passport p on p.id = s.passport_id where s.status <> 'BURNED'
    union all select p.id, null, null, null, null, null, null, p.owner, false from chain.passport p
    where p.soul_token_id is null`);
  await connection.pool.query("create table public.kept as table public.truth");
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});
beforeEach(async () => {
  calls = [];
  spendingCalls = [];
  spending = new Map();
  transferBlock = null;
  await connection.pool.query(`truncate public.truth, app.index_fault, app.passport_difference,
    app.passport_asked, app.passport_suspension, app.passport_watch; insert into public.truth table public.kept`);
});

interface Truth {
  passport_id: string;
  token_id: string | null;
  epoch: number;
  version: number;
  passport_version: number;
  sealer: `0x${string}`;
  name: string;
  owner: `0x${string}`;
  suspended: boolean;
}

interface Parts {
  readonly confirmations?: number;
  readonly souls?: bigint;
  /** What happens before the chain is asked how many there are. */
  readonly meanwhile?: () => Promise<unknown>;
}

function watchWith(parts: Parts = {}) {
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
          if (row.token_id === null) {
            return { passportId, owner: getAddress(row.owner), soul: null };
          }
          const { epoch, version, name, suspended } = row;
          const passportVersion = row.passport_version;
          const sealer = getAddress(row.sealer);
          const tokenId = BigInt(row.token_id);
          const soul = { tokenId, epoch, version, passportVersion, name, sealer, suspended };
          return { passportId, owner: getAddress(row.owner), soul };
        });
      },
      async allowancesAt(tokenIds) {
        spendingCalls.push(tokenIds.length);
        const nothing = { epoch: 1, version: 0, day: 20_000, spentToday: 0n };
        return tokenIds.map((tokenId) => ({ ...nothing, ...spending.get(tokenId) }));
      },
      async countersAt() {
        await parts.meanwhile?.();
        return { souls: parts.souls ?? BigInt(AGENTS), organizations: 0n };
      },
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

  it.each([
    "version = version + 1",
    "passport_version = passport_version + 1",
    "epoch = epoch + 1",
    "suspended = true",
  ])("is found by its soul: %s", async (set) => {
    await change(set, PASSPORT);
    await compare();
    await compare();
    expect(await differing()).toEqual([{ passport: 7, token: 7, seen: Number(INDEXED) }]);
    expect(await faults()).toEqual([
      { first: 7, last: Number(INDEXED), detail: "passport 7", mended: false },
    ]);
  });

  it("is not one any more once its soul has ended in index and contracts", async () => {
    await connection.pool.query(
      `insert into app.passport_difference values (9999, 9999, now(), 1)`,
    );
    await compare();
    expect(await differing()).toEqual([]);
  });
});

describe("a passport without a soul", () => {
  it("is compared after the souls, and differs in its owner alone", async () => {
    await change(`owner = '${BUYER.toLowerCase()}'`, 502);
    await compare();
    await compare();
    expect(calls).toEqual([...ROUND, 1, ...ROUND]);
    expect(await differing()).toEqual([{ passport: 502, token: 0, seen: Number(INDEXED) }]);
    expect(await faults()).toEqual([
      { first: 9, last: Number(INDEXED), detail: "passport 502", mended: false },
    ]);
    expect((await reads.passport(502n)).value?.owner).toBe(BUYER);
  });

  it("is found among many that carry souls", async () => {
    const { comparedSoulless } = createSuspensionCandidates(connection.pool);
    const page = async (from: bigint, limit: number) => {
      const { passports, next } = await comparedSoulless(from, limit);
      return [passports.map(({ passportId }) => passportId), next];
    };
    expect([await page(0n, 2), await page(503n, 2), await page(504n, 2)]).toEqual([
      [[501n, 502n], 503n],
      [[503n], null],
      [[], null],
    ]);
    await connection.pool.query(`insert into chain.passport (id, owner, transfer_count, soul_token_id)
      select n, '0x', 0, n from generate_series(1001, 11000) as n`);
    expect([await page(504n, 2), await page(11_001n, 2)]).toEqual([
      [[], 11_001n],
      [[], null],
    ]);
    await connection.pool.query("delete from chain.passport where id > 1000");
  });
});

describe("a round", () => {
  it("has as many pages a minute as it needs to end within 20 hours", async () => {
    const comparison = createIndexComparison({
      index: { highestPassport: async () => 2_000_000n } as never,
      chain: { countersAt: async () => ({ souls: 1_000_000n, organizations: 0n }) } as never,
      differences: differenceStore(connection.db),
      clock: () => NOW,
    });
    expect(await comparison.pagesOfRound(1n)).toBe(25);
    expect(await createSuspensionCandidates(connection.pool).highestPassport()).toBe(503n);
  });
});

describe("an allowance", () => {
  const DAY = 20_000;
  it.each<[string, Partial<ComparedAllowance>, boolean]>([
    ["of an older epoch", { epoch: 0, version: 9 }, false],
    ["as it is in the index", { version: 2, day: DAY, spentToday: 50n }, false],
    ["with a day before the indexed one", { version: 2, day: DAY - 1, spentToday: 90n }, false],
    ["of an older settled block", { version: 1, day: DAY, spentToday: 40n }, false],
    ["with another decision", { version: 3, day: DAY, spentToday: 50n }, true],
    ["with another payment", { version: 2, day: DAY, spentToday: 51n }, true],
    ["with the payment of another day", { version: 2, day: DAY + 1, spentToday: 1n }, true],
  ])("%s", async (_title, onChain, isDifferent) => {
    await connection.pool.query(`insert into chain.allowance (token_id, epoch, owner, version, active,
      per_transaction, daily_limit, spent_day, spent_today, paid_count, paid_amount, refused_count,
      reported_count, reported_amount, only_with_agent_wallet)
      values (7, 1, '0x', 2, true, 0, 0, ${DAY}, 50, 1, 50, 0, 0, 0, false)`);
    spending.set(7n, onChain);
    await compare();
    await connection.pool.query("delete from chain.allowance");
    expect(spendingCalls).toEqual([100, 100, 50]);
    expect((await differing()).map(({ passport }) => passport)).toEqual(isDifferent ? [7] : []);
  });

  it("that the index has never seen differs", async () => {
    spending.set(7n, { version: 1 });
    await compare();
    expect((await differing()).map(({ passport }) => passport)).toEqual([7]);
  });
});

describe("a passport that the index saw moving", () => {
  it("is compared with it when the watch comes to it", async () => {
    await change(`owner = '${BUYER.toLowerCase()}'`, PASSPORT);
    await watchWith().followTraces(running);
    expect(calls).toEqual([100, 100, 50]);
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
    expect(calls).toEqual([2, 11, 3]);
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

describe("the metrics that the alert IndexDiffers reads", () => {
  const NAMES = ["svc_index_faults", "svc_index_passports_different"];

  /** As a new process answers them: nothing is kept from the last time. */
  async function scraped() {
    const metrics = createMetrics();
    // Every other gauge cannot be read here, and is left out.
    metrics.observe({ indexFaults: () => indexFaults(connection.db) } as never);
    const lines = (await metrics.scrape()).text.split("\n");
    return NAMES.map((name) => lines.find((line) => line.startsWith(`${name} `)));
  }
  const inIndex = (statement: string) => connection.pool.query(statement);

  it("count a passport whose owner was changed in the index, until the row is right again", async () => {
    await inIndex("create table public.row as select * from chain.passport where id = 7");
    await compare();
    expect(await scraped()).toEqual(NAMES.map((name) => `${name} 0`));

    await inIndex(`update chain.passport set owner = '${BUYER.toLowerCase()}' where id = 7`);
    await compare();
    expect(await scraped()).toEqual([`${NAMES[0]} 0`, `${NAMES[1]} 1`]);
    await compare();
    expect(await scraped()).toEqual([`${NAMES[0]} 1`, `${NAMES[1]} 1`]);

    await inIndex(
      "update chain.passport set owner = row.owner from public.row where chain.passport.id = 7",
    );
    await compare();
    expect(await scraped()).toEqual(NAMES.map((name) => `${name} 0`));
    await inIndex("drop table public.row");
  });

  it("count a soul whose row was deleted in the index, until it is there again", async () => {
    await inIndex("create table public.row as select * from chain.soul where token_id = 9");
    await inIndex("delete from chain.soul where token_id = 9");
    await compare();
    expect(await scraped()).toEqual([`${NAMES[0]} 1`, `${NAMES[1]} 0`]);

    await inIndex("insert into chain.soul table public.row");
    await compare();
    expect(await scraped()).toEqual(NAMES.map((name) => `${name} 0`));
    await inIndex("drop table public.row");
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

  it("is not one that a restarted index has yet to read again", async () => {
    const setReady = (ready: number) =>
      connection.pool.query(
        `update chain._ponder_meta set value = jsonb_set(value, '{is_ready}', '${ready}')`,
      );
    await connection.pool.query(
      // Block 40,000 in place of 50,000.
      "update chain._ponder_checkpoint set safe_checkpoint = overlay(safe_checkpoint placing '4' from 38)",
    );
    await compare({ souls: BigInt(AGENTS) + 1n, meanwhile: () => setReady(0) });
    await setReady(1);
    expect(await faults()).toEqual([]);
  });
});
