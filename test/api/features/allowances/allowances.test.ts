import { describe, expect, it } from "vitest";
import {
  type AllowanceIndex,
  type AllowanceState,
  availableToday,
  createAllowances,
} from "../../../../api/features/allowances/allowances.ts";
import { amountNumber, formatAmount } from "../../../../api/features/allowances/amounts.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";

// What is answered while the index is behind the chain, and amounts at the edge of JSON integers.

const OWNER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const STATE: AllowanceState = {
  block: 100n,
  blockTime: 1_000n,
  agentName: "aurora",
  passportId: 7n,
  owner: OWNER,
  epoch: 1,
  version: 3,
  perTransaction: 2n,
  dailyLimit: 5n,
  active: true,
  reason: null,
  validUntil: 4_000_000_000,
  onlyWithAgentWallet: false,
  usage: { spentToday: 1n, remainingToday: 4n, periodStart: 0n, periodEnd: 86_400n },
  funding: { balance: 10n, approved: 7n },
};
const SHARED = { agents: 2, dailyLimit: 9n, remainingToday: 6n };
const LATE = { block: 5n, timestamp: 10n };

const lateIndex: AllowanceIndex = {
  history: async () => ({ at: LATE, value: null }),
  usage: async () => ({ at: LATE, value: { transactionsToday: 0, shared: SHARED } }),
};

function allowances(state: Partial<AllowanceState> = {}, isFresh = false) {
  const read = async () => ({
    ...STATE,
    ...state,
    spendable: { allowed: false, reason: "EXCEEDS_PER_TRANSACTION_LIMIT" as const },
  });
  return createAllowances({
    vault: { stateOf: read, canSpend: read, timeOf: async () => 0n },
    index: lateIndex,
    age: { isFresh: () => isFresh, behind: () => new ApiError("INDEX_BEHIND") },
  });
}

const history = (isFresh: boolean) =>
  allowances({}, isFresh).history(1n, { limit: 20, offset: 0, since: null });

describe("with an index that is behind the chain", () => {
  it("limits, spending and funding are those of the chain", async () => {
    const { state, at } = await allowances().of(1n);
    expect(state).toMatchObject(STATE);
    expect(at).toEqual(LATE);
    const { state: asked } = await allowances().canSpend(1n, 3n);
    expect(asked.spendable).toEqual({ allowed: false, reason: "EXCEEDS_PER_TRANSACTION_LIMIT" });
  });

  it("an agent that only the chain knows has limits, and its history is refused", async () => {
    expect((await allowances().of(1n)).state.agentName).toBe("aurora");
    await expect(history(false)).rejects.toMatchObject({ type: "INDEX_BEHIND" });
    await expect(history(true)).rejects.toMatchObject({ type: "NOT_FOUND" });
  });

  it("an agent that the chain does not know is not found", async () => {
    await expect(allowances({ agentName: null }).of(1n)).rejects.toMatchObject({
      type: "NOT_FOUND",
      message: "There is no agent with token id 1.",
    });
  });
});

it("all agents of an owner can take the least of balance, approval and what their limits leave", () => {
  const reading = (balance: bigint, approved: bigint, remainingToday: bigint) => ({
    state: { ...STATE, agentName: "aurora", funding: { balance, approved } },
    usage: { transactionsToday: 0, shared: { ...SHARED, remainingToday } },
    at: LATE,
  });
  expect(availableToday(reading(3n, 4n, 5n))).toBe(3n);
  expect(availableToday(reading(4n, 3n, 5n))).toBe(3n);
  expect(availableToday(reading(5n, 4n, 3n))).toBe(3n);
});

it("an amount above 2^53-1 is answered as that, and its text is exact", () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  expect([amountNumber(largest), amountNumber(largest + 1n)]).toEqual([
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  ]);
  expect(formatAmount(largest + 1n)).toBe("9007199254.740992");
  expect(formatAmount(2_500_000n)).toBe("2.5");
});
