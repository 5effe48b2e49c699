import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
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
import type {
  Sponsor,
  SponsorshipLimits,
  SponsorshipRefusal,
} from "../../../../api/platform/sponsorship/gas-budget.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { freshName } from "../../../fixtures/registrations.ts";
import { testSponsorship } from "../../../fixtures/sponsorship.ts";
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
const ELSEWHERE: Sponsor = { network: "2001:db8:1::/48", standing: "stranger" };

/**
 * The ledger of operations under the given limits, at a time that the test sets, used for registrations. `via` is another
 * process's connection.
 */
function sponsored(limits: Partial<SponsorshipLimits> = {}, via = connection, at = freshDay()) {
  const time = { now: at };
  const clock = () => new Date(time.now);
  const refusals: SponsorshipRefusal[] = [];
  const sponsorship = testSponsorship(via.db, {
    limits: { gasPerDay: 1_000n * REGISTRATION_GAS, registrationsPerMonth: 20, ...limits },
    clock,
    refused: (reason) => refusals.push(reason),
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
  it("keep one network's strangers from using up the budget of others", async () => {
    const limits = { gasPerDay: registrations(20), networkPercent: 10 };
    const { store, time, refusals } = sponsored(limits);
    const midnight = new Date(time.now + 2 * 60 * 60 * 1000);
    const outcomes = [];
    for (let turn = 0; turn < 3; turn += 1) outcomes.push(await outcome(store.insert(pending())));
    expect(outcomes).toEqual([
      "accepted",
      "accepted",
      {
        type: "GAS_BUDGET_EXHAUSTED",
        status: 503,
        retryAfter: 7_200,
        details: { reason: "network", resetAt: midnight.toISOString() },
      },
    ]);
    expect(refusals).toEqual(["network"]);
    expect(await outcome(store.insert(pending(), ELSEWHERE))).toBe("accepted");
    // Known owners of the same network have a share of their own.
    expect(await outcome(store.insert(pending(), KNOWN))).toBe("accepted");
    expect(await counted(time)).toEqual([
      { network: "192.0.2.0/24", standing: "known", gas: String(registrations(1)) },
      { network: "192.0.2.0/24", standing: "stranger", gas: String(registrations(2)) },
      { network: "2001:db8:1::/48", standing: "stranger", gas: String(registrations(1)) },
    ]);
  });

  it("bound known owners of one network too", async () => {
    const { store } = sponsored({ gasPerDay: registrations(20), networkPercent: 5 });
    expect(await outcome(store.insert(pending(), KNOWN))).toBe("accepted");
    expect(await outcome(store.insert(pending(), KNOWN))).toMatchObject({
      type: "GAS_BUDGET_EXHAUSTED",
      details: { reason: "network" },
    });
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

  it("let a network register at least once, however small the budget", async () => {
    const { store } = sponsored({ gasPerDay: registrations(2), networkPercent: 1 });
    expect(await outcome(store.insert(pending()))).toBe("accepted");
    expect(await outcome(store.insert(pending()))).toMatchObject({
      details: { reason: "network" },
    });
  });

  it("are never exceeded by requests that reach several processes together", async () => {
    const limits = { gasPerDay: registrations(50), networkPercent: 8, reservePercent: 84 };
    const first = sponsored(limits);
    const other = connectDatabase(database.url, createLog("silent"));
    const second = sponsored(limits, other, first.time.now);
    try {
      const networks = ["a", "b", "c"].map((name) => ({ ...STRANGER, network: name }));
      const outcomes = await Promise.all(
        Array.from({ length: 36 }, (_, index) =>
          outcome(
            [first, second][index % 2]?.store.insert(pending(), networks[index % 3]) ??
              Promise.reject(new Error("There are two.")),
          ),
        ),
      );
      // Eight fit the strangers' part, and at most four of each network.
      expect(outcomes.filter((one) => one === "accepted")).toHaveLength(8);
      const rows = (await counted(first.time)) as { gas: string }[];
      for (const { gas } of rows) expect(BigInt(gas)).toBeLessThanOrEqual(registrations(4));
      expect(rows.reduce((sum, { gas }) => sum + BigInt(gas), 0n)).toBe(registrations(8));
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
