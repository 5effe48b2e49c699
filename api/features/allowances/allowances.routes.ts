import { z } from "@hono/zod-openapi";
import type { OverspendingReason } from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../platform/http/lists/pages.ts";
import { freshRead } from "../../platform/http/operations.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import {
  type AllowanceReading,
  type AllowanceState,
  type Allowances,
  availableToday,
  type PaymentRecord,
} from "./allowances.ts";
import { amountMembers, formatAmount } from "./amounts.ts";
import { AllowanceAnswer, CanSpendAnswer, HistoryAnswer, limitsAnswer } from "./schemas.ts";

/** Of a skipped page. A history that is longer is read by cursor. */
const MAX_OFFSET = 100_000;

const cursors = listCursors(
  "allowance history",
  z.strictObject({ block: IdPart, logIndex: z.int32().min(0) }),
);

const AmountQuery = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, "Not a positive decimal integer")
  .transform(BigInt)
  .refine((amount) => amount <= BigInt(Number.MAX_SAFE_INTEGER), "Above 2^53-1")
  .openapi({ type: "integer", minimum: 1, description: "Base units of the stablecoin." });

const SinceQuery = z.iso
  .datetime({ offset: true })
  .transform((text) => BigInt(Math.ceil(Date.parse(text) / 1000)))
  .optional()
  .openapi({
    type: "string",
    format: "date-time",
    description: "Only payments at this time or later.",
  });

interface AllowanceParts {
  readonly allowances: Allowances;
}

const ofAgent = {
  // What may be paid changes with every payment: no answer is cached.
  rules: freshRead,
  method: "get",
  tag: "Allowances",
  params: { tokenId: TokenIdParam },
  waitsForBlock: true,
} as const;
const ERRORS = ["INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE", "REGISTRY_PENDING"] as const;

export const getAllowance = endpoint({
  ...ofAgent,
  operationId: "getAllowance",
  path: "/allowance/{tokenId}",
  summary: "What an agent may pay, what it has paid today, and its owner's money",
  description:
    "Limits, usage and funding are read from the chain, at one block. Counts, and the sums over all agents of the owner, are as last indexed.",
  done: "The allowance of the soul's present epoch; zero when its owner set none.",
  answer: AllowanceAnswer,
  errors: ERRORS,
  async run({ tokenId }, { allowances }: AllowanceParts, c) {
    const reading = await allowances.of(tokenId);
    const { state, usage, at } = reading;
    const { spentToday, remainingToday, periodStart, periodEnd } = state.usage;
    reflectsBlock(c, at);
    return {
      ...agentIds({ tokenId, passportId: state.passportId }),
      agentName: state.agentName,
      allowance: {
        ...limitsAnswer(state),
        reason: state.reason,
        epoch: state.epoch,
        version: state.version,
        usage: {
          ...amountMembers({ spentToday, remainingToday }),
          periodStart: dateOf(periodStart).toISOString(),
          periodEnd: dateOf(periodEnd).toISOString(),
          transactionsToday: usage.transactionsToday,
        },
      },
      funding: fundingAnswer(reading),
      block: Number(state.block),
    };
  },
});

export const canSpend = endpoint({
  ...ofAgent,
  operationId: "canSpend",
  path: "/allowance/{tokenId}/can-spend",
  summary: "Whether an agent may pay an amount now",
  description:
    "Read from the chain, at one block. No promise: other payments use up the same day, and the owner can end the allowance or move its money at any time.",
  query: { amount: AmountQuery },
  done: "The contract's answer. A reason is not an error.",
  answer: CanSpendAnswer,
  errors: ERRORS,
  async run({ tokenId, amount }, { allowances }: AllowanceParts, c) {
    const reading = await allowances.canSpend(tokenId, amount);
    const { state, at } = reading;
    const { allowed, reason } = state.spendable;
    const { balance, approved } = state.funding;
    const left = state.usage.remainingToday - amount;
    reflectsBlock(c, at);
    return {
      ...agentIds({ tokenId, passportId: state.passportId }),
      ...amountMembers({ amount }),
      allowed,
      reason,
      detail: reason === null ? undefined : detailOf(reason, state),
      remainingAfter: allowed
        ? {
            perTransaction: true,
            ...amountMembers({ dailyRemaining: left }),
          }
        : undefined,
      funding: {
        ...fundingAnswer(reading),
        sufficient: balance >= amount && approved >= amount,
      },
      block: Number(state.block),
    };
  },
});

export const getAllowanceHistory = endpoint({
  ...ofAgent,
  operationId: "getAllowanceHistory",
  path: "/allowance/{tokenId}/history",
  summary: "Payments that an agent made, reported or was refused, newest first",
  query: {
    limit: limitParam(20),
    offset: offsetParam(MAX_OFFSET),
    cursor: cursors.param,
    since: SinceQuery,
  },
  done: "As last indexed, of all epochs.",
  answer: HistoryAnswer,
  errors: [...ERRORS, "INDEX_BEHIND"],
  async run({ tokenId, limit, offset, cursor, since = null }, { allowances }: AllowanceParts, c) {
    const page = pageBy(limit, { cursor, counted: ["offset", offset] });
    const { at, value } = await allowances.history(tokenId, { ...page, since });
    reflectsBlock(c, at);
    return {
      ...agentIds({ tokenId, passportId: value.passportId }),
      agentName: value.agentName,
      ...amountMembers({ totalSpent: value.totalSpent }),
      transactionCount: value.transactionCount,
      totalEntries: value.totalEntries,
      history: value.entries.map(entryAnswer),
      nextCursor: cursors.text(value.next),
    };
  },
});

function fundingAnswer(reading: AllowanceReading) {
  const { balance, approved } = reading.state.funding;
  const { agents, dailyLimit, remainingToday } = reading.usage.shared;
  const shared = { dailyLimit, remainingToday, availableToday: availableToday(reading) };
  return {
    ...amountMembers({ balance, approved }),
    shared: { agents, ...amountMembers(shared) },
  };
}

function entryAnswer(record: PaymentRecord) {
  return {
    ...amountMembers({ amount: record.amount }),
    recipient: record.recipient,
    recipientAgent: record.recipientAgent,
    timestamp: dateOf(record.timestamp).toISOString(),
    txHash: record.txHash,
    status: record.status,
    withinLimits: record.withinLimits,
    violationType: record.violationType ?? undefined,
    paymentRef: record.paymentRef,
    digest: record.digest,
    epoch: record.epoch,
  };
}

function detailOf(reason: OverspendingReason, state: AllowanceState): string {
  switch (reason) {
    case "ALLOWANCE_NOT_SET":
      return "The owner has set no allowance since the last seal.";
    case "ALLOWANCE_INACTIVE":
      if (state.owner === null) return "The soul is not valid: see GET /v1/soul-validity.";
      if (!state.active) return "The owner ended the allowance.";
      return "The last second of the allowance has passed.";
    case "AGENT_WALLET_NOT_OPERATOR":
      return "The passport's agentWallet is not the operator: its owner has to set it again.";
    case "EXCEEDS_PER_TRANSACTION_LIMIT":
      return `One payment may be at most ${formatAmount(state.perTransaction)}.`;
    case "EXCEEDS_DAILY_LIMIT":
      return `Today ${formatAmount(state.usage.remainingToday)} is left. The next day begins at ${dateOf(state.usage.periodEnd).toISOString()}.`;
  }
}
