import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { type Hex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegistrationRecord } from "../../../../api/features/registration/ports.ts";
import {
  REGISTRATION_GAS,
  registrationOperationId,
} from "../../../../api/features/registration/ports.ts";
import { createRegistrationStore } from "../../../../api/features/registration/registrations.store.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createOperationLedger } from "../../../../api/operations/ledger.store.ts";
import type { Operation } from "../../../../api/operations/operation.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createMetrics } from "../../../../api/platform/metrics/metrics.ts";
import type {
  Sponsor,
  SponsorshipLimits,
  SponsorshipRefusal,
  Standing,
} from "../../../../api/platform/sponsorship/gas-budget.ts";
import { standingOf } from "../../../../api/platform/sponsorship/known-owners.store.ts";
import * as indexed from "../../../../indexer/ponder.schema.ts";
import { hasPromtool } from "../../../fixtures/alert-rules.ts";
import { createIndexTables } from "../../../fixtures/index-tables.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { freshName } from "../../../fixtures/registrations.ts";
import { testSponsorship } from "../../../fixtures/sponsorship.ts";
import { alertsOf } from "../../../fixtures/watched-process.ts";
import { numRuns } from "../../../protocol/arbitraries.ts";
import { newAccount } from "../../features/sign-in/harness.ts";

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

/** A day that no other test uses. */
let nextDay = Date.parse("2026-01-10T22:00:00Z");
const freshDay = () => {
  nextDay += 40 * 24 * 60 * 60 * 1000;
  return nextDay;
};

const STRANGER: Sponsor = { network: "192.0.2.0/24", standing: "stranger" };
const KNOWN: Sponsor = { network: "192.0.2.0/24", standing: "known" };
const ELSEWHERE: Sponsor = { network: "2001:db8:1:2::/64", standing: "stranger" };

/**
 * The ledger of operations under the given limits, at a time that the test sets, used for registrations. `via` is another
 * process's connection.
 */
function sponsored(
  limits: Partial<SponsorshipLimits> = {},
  via = connection,
  at = freshDay(),
  refused: (reason: SponsorshipRefusal) => void = () => {},
) {
  const time = { now: at };
  const clock = () => new Date(time.now);
  const refusals: SponsorshipRefusal[] = [];
  const sponsorship = testSponsorship(via.db, {
    limits: { gasPerDay: 1_000n * REGISTRATION_GAS, registrationsPerMonth: 20, ...limits },
    clock,
    refused(reason) {
      refusals.push(reason);
      refused(reason);
    },
  });
  const registrations = createRegistrationStore(via.db, clock, async () => false);
  const ledger = createOperationLedger({ db: via.db, clock, sponsorship });
  return {
    store: {
      insert: ({ operation, record }: Pending, sponsor = STRANGER) =>
        ledger.accept(
          operation,
          {
            operationId: registrationOperationId(operation.id),
            gas: REGISTRATION_GAS,
            registrant: record.request.ownerAddress,
            sponsor,
          },
          (tx) => registrations.begin(tx, { ...record, id: operation.id }),
        ),
      find: (digest: Hex) => ledger.find([digest]),
      remove: ({ operation }: Pending, gas: "spent" | "unspent") =>
        ledger.end(
          operation,
          {
            state: "refused",
            reason: new ApiError("NAME_TAKEN"),
            isSuperseded: false,
            isGasSpent: gas === "spent",
            operationId: registrationOperationId(operation.id),
          },
          (tx) => registrations.remove(tx, operation.id),
        ),
    },
    time,
    sponsorship,
    refusals,
  };
}

const hex = (): Hex => `0x${randomBytes(32).toString("hex")}`;

/** A registration that is about to be accepted. */
interface Pending {
  readonly operation: Operation;
  readonly record: RegistrationRecord;
}

function pending(owner = newAccount().address, agentName = freshName()): Pending {
  const id = randomUUID();
  const request: RegistrationRecord["request"] = {
    agentName,
    agentType: 0,
    soulHash: hex(),
    soulMerkleRoot: hex(),
    merkleLeaves: [],
    publicFields: {},
    publicIdentity: {},
    birthBundle: null,
    sourceFormat: null,
    ownerAddress: owner,
    operatorAddress: null,
    parentTokenId: 0n,
    organizationId: 0n,
    seal: true,
    humanProof: null,
    soulDocuments: null,
    passport: null,
    avatar: null,
    boundUri: null,
  };
  return {
    record: { id, origin: { kind: "owner" }, request, apiKeyEncrypted: randomBytes(8) },
    operation: {
      id,
      kind: "register",
      requestHash: hex(),
      operationKey: randomUUID(),
      payload: null,
      secrets: { soulSalt: randomBytes(8) },
      signatures: [
        {
          role: "owner",
          primaryType: "Registration",
          chainId: 31337,
          verifyingContract: zeroAddress,
          digest: hex(),
          message: { nonce: BigInt(hex()), deadline: 2n },
          signature: "0x00",
          signer: owner,
        },
      ],
      subjects: [],
      acceptedAt: new Date(),
      acceptedBlock: 0n,
    },
  };
}

async function outcome(work: Promise<"accepted" | "known">) {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { type, status, details, retryAfter } = error;
    return { type, status, details, retryAfter };
  }
}

const count = async (what: ReturnType<typeof sql>) =>
  Number((await connection.db.execute(what)).rows[0]?.n ?? 0);

describe("a wallet's registrations", () => {
  it("are 20 a month; the 21st is refused with the time it resets, and has no effect", async () => {
    const { store, time } = sponsored();
    time.now = Date.parse("2026-12-31T23:59:30Z");
    const { address } = newAccount();
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await outcome(store.insert(pending(address)))).toBe("accepted");
    }
    const refused = pending(address);
    expect(await outcome(store.insert(refused))).toEqual({
      type: "RATE_LIMIT_EXCEEDED",
      status: 429,
      retryAfter: 30,
      details: { limit: 20, resetAt: "2027-01-01T00:00:00.000Z" },
    });
    expect(await store.find(refused.operation.signatures[0]?.digest ?? "0x")).toBeNull();
    expect(await outcome(store.insert(pending()))).toBe("accepted");
    time.now += 30_000;
    expect(await outcome(store.insert(pending(address)))).toBe("accepted");
  });

  it("are counted once when they arrive together", async () => {
    const { store } = sponsored({ registrationsPerMonth: 3 });
    const { address } = newAccount();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => outcome(store.insert(pending(address)))),
    );
    expect(outcomes.filter((one) => one === "accepted")).toHaveLength(3);
  });

  it("of the same request, or of a name in progress, count once", async () => {
    const { store } = sponsored({ registrationsPerMonth: 2 });
    const { address } = newAccount();
    const first = pending(address);
    await store.insert(first);
    const again = { ...first, operation: { ...first.operation, id: randomUUID() } };
    expect(await outcome(store.insert(again))).toBe("known");
    const sameName = pending(address, first.record.request.agentName);
    expect(await outcome(store.insert(sameName))).toMatchObject({ type: "NAME_TAKEN" });
    expect(await outcome(store.insert(pending(address)))).toBe("accepted");
  });
});

describe("sponsored gas", () => {
  it("is refused past the day's budget, with the time it resets", async () => {
    const { store, time } = sponsored({ gasPerDay: 2n * REGISTRATION_GAS });
    const midnight = new Date(time.now + 2 * 60 * 60 * 1000);
    expect(await outcome(store.insert(pending()))).toBe("accepted");
    expect(await outcome(store.insert(pending()))).toBe("accepted");
    const refused = pending();
    expect(await outcome(store.insert(refused))).toEqual({
      type: "GAS_BUDGET_EXHAUSTED",
      status: 503,
      retryAfter: 7_200,
      details: { reason: "strangers", resetAt: midnight.toISOString() },
    });
    const wallet = refused.record.request.ownerAddress.toLowerCase();
    expect(
      await count(sql`select count(*) as n from app.wallet_quota where wallet = ${wallet}`),
    ).toBe(0);
    time.now = midnight.getTime();
    expect(await outcome(store.insert(pending()))).toBe("accepted");
  });

  it("is never overdrawn by requests that arrive together", async () => {
    const { store, time } = sponsored({ gasPerDay: 5n * REGISTRATION_GAS + 1n });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => outcome(store.insert(pending()))),
    );
    expect(outcomes.filter((one) => one === "accepted")).toHaveLength(5);
    const day = new Date(time.now).toISOString().slice(0, 10);
    expect(await count(sql`select gas as n from app.gas_budget where day = ${day}`)).toBe(
      Number(5n * REGISTRATION_GAS),
    );
  });

  it("may have a budget of zero", async () => {
    const { store } = sponsored({ gasPerDay: 0n });
    expect(await outcome(store.insert(pending()))).toMatchObject({ type: "GAS_BUDGET_EXHAUSTED" });
  });

  it("is returned once for a registration that the chain refused, but not when it was spent", async () => {
    const limits = { gasPerDay: 2n * REGISTRATION_GAS, registrationsPerMonth: 2 };
    const { store } = sponsored(limits);
    const { address } = newAccount();
    const [refused, reverted] = [pending(address), pending(address)];
    await store.insert(refused);
    await store.insert(reverted);
    expect(await outcome(store.insert(pending(address)))).toMatchObject({ status: 429 });
    await store.remove(refused, "unspent");
    await store.remove(refused, "unspent");
    await store.remove(reverted, "spent");
    expect(await outcome(store.insert(pending(address)))).toBe("accepted");
    expect(await outcome(store.insert(pending(address)))).toMatchObject({ status: 429 });
    expect(await outcome(store.insert(pending()))).toMatchObject({ status: 503 });
  });
});

const registrations = (count: number) => BigInt(count) * REGISTRATION_GAS;

/** The gas counted on the day of `time`. */
async function counted({ now }: { readonly now: number }) {
  const day = new Date(now).toISOString().slice(0, 10);
  const { rows } = await connection.db.execute(sql`
    select network, standing, gas::text from app.gas_share where day = ${day} order by 1, 2`);
  return rows;
}

describe("the shares of the day's gas", () => {
  it("count everything that one network does, and keep a part of it for its known owners", async () => {
    const limits = { gasPerDay: registrations(20), networkPercent: 20, reservePercent: 50 };
    const { store, time, refusals } = sponsored(limits);
    const midnight = new Date(time.now + 2 * 60 * 60 * 1000);
    const refused = {
      type: "GAS_BUDGET_EXHAUSTED",
      status: 503,
      retryAfter: 7_200,
      details: { reason: "network", resetAt: midnight.toISOString() },
    };
    const outcomes = [];
    for (const sponsor of [STRANGER, STRANGER, STRANGER, ELSEWHERE, KNOWN, KNOWN, KNOWN]) {
      outcomes.push(await outcome(store.insert(pending(), sponsor)));
    }
    const accepted = "accepted";
    expect(outcomes).toEqual([accepted, accepted, refused, accepted, accepted, accepted, refused]);
    expect(refusals).toEqual(["network", "network"]);
    const row = (network: string, standing: string, times: number) => ({
      network,
      standing,
      gas: String(registrations(times)),
    });
    expect(await counted(time)).toEqual([
      row("192.0.2.0/24", "known", 4),
      row("192.0.2.0/24", "stranger", 2),
      ...["2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"].flatMap((network) => [
        row(network, "known", 1),
        row(network, "stranger", 1),
      ]),
    ]);
  });

  it("are twice as large for a site of IPv6, and four times for its provider", async () => {
    const { store } = sponsored({ gasPerDay: registrations(40), networkPercent: 5 });
    const insertFrom = async (site: number, subscriber: number) => {
      const network = `2001:db8:${site}:${subscriber}::/64`;
      return outcome(store.insert(pending(), { network, standing: "known" }));
    };
    const refused = { type: "GAS_BUDGET_EXHAUSTED", details: { reason: "network" } };
    const sites = [1, 1, 2, 2].map((site, subscriber) => [site, subscriber] as const);
    for (const [site, subscriber] of sites) {
      expect(await insertFrom(site, subscriber)).toBe("accepted");
      expect(await insertFrom(site, subscriber)).toBe("accepted");
      expect(await insertFrom(site, subscriber)).toMatchObject(refused);
    }
    expect(await insertFrom(1, 9)).toMatchObject(refused);
    expect(await insertFrom(3, 0)).toMatchObject(refused);
    const other = { network: "2001:db9::/64", standing: "known" } as const;
    expect(await outcome(store.insert(pending(), other))).toBe("accepted");
  });

  it("keep a reserve that strangers of any network cannot use", async () => {
    const limits = { gasPerDay: registrations(4), reservePercent: 25 };
    const { store, refusals, sponsorship } = sponsored(limits);
    const from = (index: number, standing: Sponsor["standing"] = "stranger"): Sponsor => ({
      network: `198.51.${index}.0/24`,
      standing,
    });
    for (let index = 0; index < 3; index += 1) {
      expect(await outcome(store.insert(pending(), from(index)))).toBe("accepted");
    }
    expect(await outcome(store.insert(pending(), from(4)))).toMatchObject({
      type: "GAS_BUDGET_EXHAUSTED",
      status: 503,
      details: { reason: "strangers" },
    });
    expect(await outcome(store.insert(pending(), from(5, "known")))).toBe("accepted");
    expect(await outcome(store.insert(pending(), from(6, "known")))).toMatchObject({
      details: { reason: "budget" },
    });
    expect(refusals).toEqual(["strangers", "budget"]);
    expect(await sponsorship.today()).toEqual({
      used: { all: registrations(4), strangers: registrations(3) },
      limit: { all: registrations(4), strangers: registrations(3) },
    });
  });

  it("let strangers of a network register once, however small the budget", async () => {
    const limits = { gasPerDay: registrations(4), networkPercent: 1, reservePercent: 50 };
    const { store } = sponsored(limits);
    expect(await outcome(store.insert(pending()))).toBe("accepted");
    expect(await outcome(store.insert(pending()))).toMatchObject({
      details: { reason: "network" },
    });
  });

  it("are never exceeded by requests that reach several processes together", async () => {
    const limits = { gasPerDay: registrations(20), networkPercent: 40, reservePercent: 60 };
    const first = sponsored(limits);
    const other = connectDatabase(database.url, createLog("silent"));
    const second = sponsored(limits, other, first.time.now);
    try {
      const networks = [1, 2, 3].map((part) => ({ ...STRANGER, network: `198.51.${part}.0/24` }));
      const outcomes = await Promise.all(
        Array.from({ length: 36 }, (_, index) =>
          outcome(
            [first, second][index % 2]?.store.insert(pending(), networks[index % 3]) ??
              Promise.reject(new Error("There are two.")),
          ),
        ),
      );
      // Eight fit the strangers' part of the day, and three that of each network.
      expect(outcomes.filter((one) => one === "accepted")).toHaveLength(8);
      const rows = (await counted(first.time)) as { gas: string }[];
      for (const { gas } of rows) expect(BigInt(gas)).toBeLessThanOrEqual(registrations(3));
      expect(rows.reduce((sum, { gas }) => sum + BigInt(gas), 0n)).toBe(2n * registrations(8));
      expect((await first.sponsorship.today()).used).toEqual({
        all: registrations(8),
        strangers: registrations(8),
      });
    } finally {
      await other.close();
    }
  });

  it("get back once the gas that an unsent operation had reserved", async () => {
    const { store, time, sponsorship } = sponsored({ gasPerDay: registrations(2) });
    const [stranger, known] = [pending(), pending()];
    await store.insert(stranger);
    await store.insert(known, KNOWN);
    for (const registration of [stranger, stranger, known]) {
      await store.remove(registration, "unspent");
    }
    expect(await counted(time)).toEqual([
      { network: "192.0.2.0/24", standing: "known", gas: "0" },
      { network: "192.0.2.0/24", standing: "stranger", gas: "0" },
    ]);
    expect((await sponsorship.today()).used).toEqual({ all: 0n, strangers: 0n });
  });
});

describe.skipIf(!hasPromtool)("the alerts that fire", () => {
  const elsewhere = (index: number, standing: Standing): Sponsor => ({
    network: `198.51.${index}.0/24`,
    standing,
  });

  it.each([
    {
      why: "a network asks for more than its share",
      limits: { gasPerDay: registrations(10), networkPercent: 10, reservePercent: 50 },
      before: [STRANGER],
      goesOn: STRANGER,
      expected: ["SponsoredGasOneNetworkRefused"],
    },
    {
      why: "nine tenths of the day's gas are set aside",
      limits: { gasPerDay: registrations(10) },
      before: Array.from({ length: 9 }, (_, index) => elsewhere(index, "known")),
      goesOn: null,
      expected: ["SponsoredGasNearlySpent"],
    },
    {
      why: "strangers have used their part",
      limits: { gasPerDay: registrations(4), reservePercent: 50 },
      before: [elsewhere(1, "stranger"), elsewhere(2, "stranger")],
      goesOn: elsewhere(3, "stranger"),
      expected: ["SponsoredGasNearlySpent", "SponsoredGasRefused"],
    },
    {
      why: "the day's gas is spent",
      limits: { gasPerDay: registrations(2) },
      before: [elsewhere(1, "known"), elsewhere(2, "known")],
      goesOn: elsewhere(3, "known"),
      expected: ["SponsoredGasNearlySpent", "SponsoredGasRefused"],
    },
  ])("when $why", async ({ limits, before, goesOn, expected }) => {
    const metrics = createMetrics();
    const { store, sponsorship } = sponsored(limits, connection, freshDay(), metrics.gasRefused);
    for (const sponsor of before) await store.insert(pending(), sponsor);
    const firing = await alertsOf({
      metrics,
      sources: { sponsoredGas: sponsorship.today },
      work: async () => goesOn && outcome(store.insert(pending(), goesOn)),
    });
    expect(firing).toEqual(expected);
  });
});

const SEVEN_DAYS = 7 * 24 * 60 * 60;

describe("the standing of an account", () => {
  const at = new Date("2026-03-08T12:00:00Z");
  const now = at.getTime() / 1000;

  /** An agent of a fresh account, which sealed it long ago and still owns it, except for `changes`. */
  async function ownerOf(changes: Record<string, unknown> = {}) {
    const { address } = newAccount();
    const { passportOwner = address, ...soul } = changes;
    const id = nextAgent++;
    const lower = (value: unknown) => String(value).toLowerCase();
    await connection.pool.query(
      "insert into chain.passport (id, owner, transfer_count) values ($1, $2, 0)",
      [id, lower(passportOwner)],
    );
    const row = {
      token_id: id,
      passport_id: id,
      name: `agent-${id}`,
      name_skeleton: `agent-${id}`,
      owner: lower(address),
      sealer: lower(address),
      operator: zeroAddress,
      version: 0,
      passport_version: 0,
      parent_token_id: 0,
      epoch: 1,
      status: "SEALED",
      validity: "valid",
      agent_type: 0,
      new_passport: true,
      revisions: 1,
      mint_timestamp: 1,
      mint_block: 1,
      mint_tx: hex(),
      sealed_at: now - SEVEN_DAYS,
      last_active_at: 1,
      ...soul,
    };
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await connection.pool.query(
      `insert into chain.soul (${Object.keys(row)}) values (${places})`,
      Object.values(row),
    );
    return address;
  }
  let nextAgent = 1;

  it("is a stranger's without an index", async () => {
    expect(await standingOf(connection.db, [newAccount().address], at)).toBe("stranger");
    await createIndexTables(connection.pool, [indexed.soul, indexed.passport]);
  });

  it.each<[string, Record<string, unknown>, Standing]>([
    ["known seven days after its seal", {}, "known"],
    ["a stranger's a second before", { sealed_at: now - SEVEN_DAYS + 1 }, "stranger"],
    ["a stranger's after a sale", { passportOwner: zeroAddress }, "stranger"],
    ["a stranger's while suspended", { suspended_owner: zeroAddress }, "stranger"],
    ["a stranger's after a burn", { status: "BURNED" }, "stranger"],
    ["a stranger's before its seal", { status: "PROVISIONAL", sealed_at: null }, "stranger"],
    [
      "known at once with an attested person",
      { sealed_at: now, human_verifier: zeroAddress },
      "known",
    ],
    [
      "a stranger's after the attested person's sale",
      { passportOwner: zeroAddress, human_verifier: zeroAddress },
      "stranger",
    ],
  ])("is %s", async (_what, changes, expected) => {
    const owner = await ownerOf(changes);
    expect(await standingOf(connection.db, [owner], at)).toBe(expected);
  });

  it("is known when one of several accounts is", async () => {
    const [known, fresh] = [await ownerOf(), newAccount().address];
    expect(await standingOf(connection.db, [fresh, known], at)).toBe("known");
    expect(await standingOf(connection.db, [fresh], at)).toBe("stranger");
  });

  it("keeps known owners' gas from any number of fresh wallets and networks", async () => {
    const limits = { gasPerDay: registrations(40), networkPercent: 10, reservePercent: 50 };
    const other = connectDatabase(database.url, createLog("silent"));
    const known = await ownerOf();
    const fresh = await ownerOf({ sealed_at: now });
    const places = ["192.0.2.0/24", "2001:db8:1:1::/64", "2001:db8:1:2::/64", "2001:db8:2:1::/64"];
    const owners = places.flatMap((network) => [network, network]);
    const network = fc.oneof(
      fc.constantFrom(...places),
      fc.nat(255).map((part) => `198.51.${part}.0/24`),
      fc.tuple(fc.nat(3), fc.nat(9)).map(([site, part]) => `2001:db8:${site}:${part}::/64`),
    );
    try {
      await fc.assert(
        fc.asyncProperty(
          fc
            .array(network, { minLength: 30, maxLength: 50 })
            .chain((attackers) =>
              fc.shuffledSubarray(
                [
                  ...attackers.map((from) => ({ from, account: fresh })),
                  ...owners.map((from) => ({ from, account: known })),
                ],
                { minLength: attackers.length + owners.length },
              ),
            ),
          async (requests) => {
            const first = sponsored(limits);
            const second = sponsored(limits, other, first.time.now);
            const answers = await Promise.all(
              requests.map(async ({ from, account }, index) => {
                const standing = await standingOf(connection.db, [account], at);
                const { sponsorship } = index % 2 === 0 ? first : second;
                const { db } = index % 2 === 0 ? connection : other;
                const reserved = db.transaction((tx) =>
                  sponsorship.reserve(tx, {
                    operationId: randomUUID(),
                    gas: REGISTRATION_GAS,
                    registrant: null,
                    sponsor: { network: from, standing },
                  }),
                );
                return { account, answer: await outcome(reserved.then(() => "accepted" as const)) };
              }),
            );
            for (const { account, answer } of answers) {
              if (account === known) expect(answer).toBe("accepted");
            }
            const { used } = await first.sponsorship.today();
            expect(used.strangers).toBeLessThanOrEqual(registrations(20));
          },
        ),
        { numRuns: numRuns / 10 },
      );
    } finally {
      await other.close();
    }
  });
});
