import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatabaseConnection } from "../../api/db/connect.ts";
import { connectDatabase } from "../../api/db/connect.ts";
import { createRegistrationStore } from "../../api/db/registrations.ts";
import { sponsorshipStore } from "../../api/db/sponsorship.ts";
import { ApiError } from "../../api/errors.ts";
import { createLog } from "../../api/log.ts";
import type { PendingRegistration } from "../../api/services/registration-ports.ts";
import { REGISTRATION_GAS } from "../../api/services/registration-ports.ts";
import type { SponsorshipLimits } from "../../api/services/sponsorship.ts";
import { createSponsorship } from "../../api/services/sponsorship.ts";
import type { TestDatabase } from "../fixtures/postgres.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { freshName } from "../fixtures/registrations.ts";
import { newAccount } from "./sign-in-harness.ts";

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

const nothing = async () => {};
const noFollowUp = { accepted: nothing, completed: nothing, refused: nothing };

/** The store of registrations under the given limits, at a time that the test sets. */
function sponsored(limits: Partial<SponsorshipLimits> = {}) {
  const time = { now: freshDay() };
  const clock = () => new Date(time.now);
  const store = createRegistrationStore({
    db: connection.db,
    clock,
    sponsorship: createSponsorship({
      store: sponsorshipStore,
      limits: { gasPerDay: 1_000n * REGISTRATION_GAS, registrationsPerMonth: 20, ...limits },
      clock,
    }),
    followUps: { owner: noFollowUp, claim: noFollowUp },
  });
  return { store, time };
}

const hex = (): Hex => `0x${randomBytes(32).toString("hex")}`;

function pending(owner = newAccount().address): PendingRegistration {
  const agentName = freshName();
  const soulHash = hex();
  return {
    id: randomUUID(),
    digest: hex(),
    origin: { kind: "owner" },
    operationKey: randomUUID(),
    request: {
      ...{ agentName, agentType: 0, soulHash, soulMerkleRoot: hex(), merkleLeaves: [] },
      ...{ publicFields: {}, publicIdentity: {}, birthBundle: null, sourceFormat: null },
      ...{ ownerAddress: owner, operatorAddress: null, parentTokenId: 0n, organizationId: 0n },
      ...{ seal: true, humanProof: null, soulDocuments: null, passport: null, avatar: null },
    },
    message: {
      ...{ name: agentName, agentType: 0, owner, operator: owner },
      ...{ soulHash, soulMerkleRoot: hex(), contentHash: hex(), bindPassport: false },
      ...{ passportId: 0n, parentTokenId: 0n, organizationId: 0n, seal: true },
      ...{ nonce: 1n, deadline: 2n },
    },
    ...{ adminConsent: "0x", signature: "0x00" },
    saltEncrypted: randomBytes(8),
    apiKeyEncrypted: randomBytes(8),
  };
}

async function outcome(work: Promise<unknown>) {
  try {
    await work;
    return "accepted" as const;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { type, status, details, retryAfter } = error;
    return { type, status, details, retryAfter };
  }
}

const count = async (what: ReturnType<typeof sql>) =>
  Number((await connection.db.execute(what)).rows[0]?.n ?? 0);

describe("a wallet's registrations", () => {
  it("are 20 a month; the 21st is refused with the time it resets, and leaves nothing", async () => {
    const { store, time } = sponsored();
    time.now = Date.parse("2026-12-31T23:59:30Z");
    const { address } = newAccount();
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await outcome(store.insert(pending(address)))).toBe("accepted");
    }
    const refused = pending(address);
    expect(await outcome(store.insert(refused))).toEqual({
      ...{ type: "RATE_LIMIT_EXCEEDED", status: 429, retryAfter: 30 },
      details: { limit: 20, resetAt: "2027-01-01T00:00:00.000Z" },
    });
    expect(await store.findByDigest(refused.digest)).toBeNull();
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

  it("that are the same, or of a name on its way, count once", async () => {
    const { store } = sponsored({ registrationsPerMonth: 2 });
    const { address } = newAccount();
    const first = pending(address);
    await store.insert(first);
    expect(await outcome(store.insert({ ...first, id: randomUUID() }))).toMatchObject({
      type: "IDEMPOTENCY_CONFLICT",
    });
    const sameName = pending(address);
    const request = { ...sameName.request, agentName: first.request.agentName };
    expect(await outcome(store.insert({ ...sameName, request }))).toMatchObject({
      type: "NAME_TAKEN",
    });
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
      ...{ type: "GAS_BUDGET_EXHAUSTED", status: 503, retryAfter: 7_200 },
      details: { resetAt: midnight.toISOString() },
    });
    const wallet = refused.request.ownerAddress.toLowerCase();
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

  it("can be nothing at all", async () => {
    const { store } = sponsored({ gasPerDay: 0n });
    expect(await outcome(store.insert(pending()))).toMatchObject({ type: "GAS_BUDGET_EXHAUSTED" });
  });

  it("comes back with a registration that the chain refused, once, and not when it was spent", async () => {
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
