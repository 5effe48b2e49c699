import type { Hex, TransactionReceipt } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import type { ValidationRegistry } from "../../../../api/features/verification/validation.ts";
import {
  createValidationService,
  responseOf,
  VALIDATION_TAG,
} from "../../../../api/features/verification/validation.ts";
import type { Verification } from "../../../../api/features/verification/verification.ts";
import { ApiError, RevertedError } from "../../../../api/kernel/errors.ts";
import type { Sponsor } from "../../../../api/platform/sponsorship/gas-budget.ts";

// What is written into the validation registry, and when. These tests use no chain.

import { createSponsoredRelayer } from "../../../../api/platform/sponsorship/sponsored-relayer.ts";
import { chainSoul } from "../../../fixtures/chain-soul.ts";

const ADDRESS = `0x${"11".repeat(20)}` as const;
const HASH = `0x${"22".repeat(32)}` as const;
const HOUR_MS = 60 * 60 * 1000;

const check = (status: "valid" | "invalid" | "pending") => ({ status, details: "x" });
const verification = (change: Partial<Verification["checks"]> = {}): Verification => ({
  agentName: "heron",
  tokenId: 1n,
  erc8004AgentId: 0n,
  overallStatus: "verified",
  duplicateOf: null,
  checks: {
    soulHash: { ...check("valid"), txHash: HASH },
    arweave: { ...check("valid"), txId: "a" },
    baseTx: { ...check("valid"), txHash: HASH, timestamp: new Date(0) },
    sealed: { status: "sealed", timestamp: new Date(0) },
    soulValidity: { status: "valid", reason: "x" },
    passport: {
      ...check("valid"),
      pendingMetadata: [],
      approvalTransaction: null,
      needsAgentUriUpdate: false,
    },
    ...change,
  },
});
const silentArchive = { arweave: { ...check("pending"), txId: "a" } };

const outcome = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.type;
  }
};

describe("the result of a verification", () => {
  it.each<[string, Partial<Verification["checks"]>, unknown]>([
    ["all right", {}, 100],
    ["an archive that does not answer", silentArchive, 50],
    ["an altered archive", { arweave: { ...check("invalid"), txId: "a" } }, 0],
    ["another hash", { soulHash: { ...check("invalid"), txHash: HASH } }, 0],
    ["another transaction", { baseTx: { ...check("invalid"), txHash: HASH, timestamp: null } }, 0],
    ["a sold passport", { soulValidity: { status: "suspended", reason: "x" } }, 0],
    [
      "a sold passport and no archive",
      { ...silentArchive, soulValidity: { status: "suspended", reason: "x" } },
      0,
    ],
    [
      "a chain that does not answer",
      { soulHash: { ...check("pending"), txHash: HASH } },
      "CHAIN_UNAVAILABLE",
    ],
    [
      "a transaction that is not found",
      { baseTx: { ...check("pending"), txHash: HASH, timestamp: null } },
      "CHAIN_UNAVAILABLE",
    ],
    [
      "an index that does not know of the seal",
      { sealed: { status: "provisional", timestamp: null } },
      "REGISTRY_PENDING",
    ],
    [
      "an index that knows no passport",
      { soulValidity: { status: "not_linked", reason: "x" } },
      "REGISTRY_PENDING",
    ],
  ])("of %s", (_what, change, expected) => {
    expect(outcome(() => responseOf(verification(change)))).toBe(expected);
  });
});

describe("a validation", () => {
  let now: Date;
  let checks: Partial<Verification["checks"]>;
  let reserved: [string, bigint, Sponsor][];
  let released: string[];
  let relayFailure: ApiError | null;
  let runs: string[];
  let budget: "left" | "spent";
  let last: { response: number; tag: string; updatedAt: Date };
  beforeEach(() => {
    now = new Date("2026-11-01T00:00:00Z");
    [checks, reserved, released, runs, budget] = [{}, [], [], [], "left"];
    relayFailure = null;
    last = { response: 0, tag: "", updatedAt: now };
  });

  const txOf = (operationId: string) =>
    `0x${operationId.length.toString(16).padStart(64, "0")}` as Hex;
  const registry: ValidationRegistry = {
    address: ADDRESS,
    validator: ADDRESS,
    newestRequest: async () => ({ hash: HASH, ...last }),
    respondedIn: async () => ({ txHash: `0x${"33".repeat(32)}`, blockNumber: 7n }),
    timeOf: async () => now,
    respond: ({ response, tag }) => {
      last = { response, tag, updatedAt: now };
      return { to: ADDRESS, data: "0x" };
    },
  };
  const soul = chainSoul({ passportId: 0n, sealer: ADDRESS, passportOwner: ADDRESS });

  function service(given: ValidationRegistry | null = registry) {
    return createValidationService({
      deployment: {
        chainId: 31337,
        identityRegistry: ADDRESS,
        soulRegistry: ADDRESS,
        passportWriter: ADDRESS,
      },
      registry: given,
      souls: { soul: async () => soul },
      verify: async () => ({ at: { block: 1n, time: 1n }, value: verification(checks) }) as never,
      relayer: createSponsoredRelayer({
        relayer: {
          async run(operationId, build) {
            runs.push(operationId);
            if (relayFailure !== null) throw relayFailure;
            await build();
            return { transactionHash: txOf(operationId), blockNumber: 9n } as TransactionReceipt;
          },
        },
        standingOf: async ([owner]) => (owner === soul.sealer ? "known" : "stranger"),
        gas: {
          async reserve(operationId, gas, sponsor) {
            if (budget === "spent") throw new ApiError("GAS_BUDGET_EXHAUSTED");
            reserved.push([operationId, gas, sponsor]);
          },
          release: async (operationId) => void released.push(operationId),
        },
      }),
      index: { waitForBlock: async (block) => block },
      links: { verify: (name) => `https://x.example/${name}` },
      randomNonce: () => 5n,
      clock: () => now,
    });
  }
  const validate = (given?: ValidationRegistry | null) =>
    service(given).byCaller(
      1n,
      { kind: "full", id: "agent:1:1", tokenId: 1n, epoch: 1, suspended: false },
      "192.0.2.0/24",
    );
  const since = (time: Date) => Math.floor(time.getTime() / 1000);

  it("is refused without a registry, and so is its typed data", async () => {
    const refusals = await Promise.allSettled([validate(null), service(null).signed.read(1n)]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        status: "rejected",
        reason: {
          type: "REGISTRY_PENDING",
          status: 503,
          retryAfter: 86_400,
          message: "The ERC-8004 validation registry is pending: it is not deployed on this chain.",
        },
      });
    }
    expect(runs).toEqual([]);
  });

  it("is written when it changes, and once a day when it does not", async () => {
    const asked = now;
    expect(await validate()).toEqual({
      passportId: 0n,
      requestHash: HASH,
      response: 100,
      validatedAt: now,
      indexedBlock: 9n,
      txHash: txOf(runs[0] ?? ""),
    });
    const written = now;
    now = new Date(now.getTime() + 24 * HOUR_MS - 1);
    expect(await validate()).toMatchObject({ txHash: `0x${"33".repeat(32)}`, indexedBlock: 7n });
    checks = silentArchive;
    expect(await validate()).toMatchObject({ response: 50 });
    const changed = now;
    now = new Date(now.getTime() + 24 * HOUR_MS);
    expect(await validate()).toMatchObject({ response: 50 });
    expect(runs).toEqual([
      `validation:${HASH}:${since(asked)}:100`,
      `validation:${HASH}:${since(written)}:50`,
      `validation:${HASH}:${since(changed)}:50`,
    ]);
    const sponsor = { network: "192.0.2.0/24", standing: "known" };
    expect(reserved).toEqual(runs.map((id) => [id, 300_000n, sponsor]));
    expect(released).toEqual([]);
  });

  it("is written over a 0 that no validator wrote, and over another tag", async () => {
    checks = { soulValidity: { status: "suspended", reason: "x" } };
    expect(await validate()).toMatchObject({ response: 0 });
    expect(runs).toHaveLength(1);
    expect(last).toMatchObject({ response: 0, tag: VALIDATION_TAG });
  });

  it("is skipped when the day's gas is spent", async () => {
    budget = "spent";
    await expect(validate()).rejects.toMatchObject({ type: "GAS_BUDGET_EXHAUSTED" });
    expect(runs).toEqual([]);
  });

  it.each([
    ["gives back the gas of a refusal before its transaction", new ApiError("NOT_FOUND"), true],
    ["keeps the gas of a reverted transaction", new RevertedError("NOT_FOUND"), false],
    [
      "keeps the gas of a transaction whose end is unknown",
      new ApiError("CHAIN_UNAVAILABLE"),
      false,
    ],
  ])("%s", async (_what, failure, isReleased) => {
    relayFailure = failure;
    await expect(validate()).rejects.toBe(failure);
    expect(released).toEqual(isReleased ? runs : []);
  });

  it("is not written while the result is unknown", async () => {
    checks = { soulHash: { ...check("pending"), txHash: HASH } };
    await expect(validate()).rejects.toMatchObject({ type: "CHAIN_UNAVAILABLE" });
    expect(runs).toEqual([]);
  });
});
