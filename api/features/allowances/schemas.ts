import { z } from "@hono/zod-openapi";
import {
  type AllowanceAmount,
  type EndAllowanceMessage,
  eachAmount,
  type SetAllowanceMessage,
} from "../../../protocol/allowance.ts";
import { OVERSPENDING_REASONS, PERMIT_TYPES } from "../../../protocol/index.ts";
import { ALLOWANCE_VAULT_TYPES } from "../../../protocol/typed-data.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { messageShape } from "../../operations/schemas.ts";
import { TypedDataSchema } from "../../operations/typed-data.schemas.ts";
import { NextCursor } from "../../platform/http/lists/cursors.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { amountMembers } from "./amounts.ts";
import type { PermitMessage } from "./changes.ts";

/** The last second that the contract can store. */
const LATEST_END = 2 ** 32 - 1;

const AmountInput = z.int().min(0).transform(BigInt).openapi({
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Base units of the stablecoin, which has 6 decimals.",
  example: 2_500_000,
});

const EndInput = z.iso
  .datetime({ offset: true })
  .transform((text, context): number => {
    const seconds = Math.floor(Date.parse(text) / 1000);
    if (seconds >= 0 && seconds <= LATEST_END) return seconds;
    context.addIssue({ code: "custom", message: "Not between 1970 and February 2106" });
    return z.NEVER;
  })
  .openapi({
    type: "string",
    format: "date-time",
    description: "The allowance's last second. Default: 90 days after the preparation.",
  });

const LimitsShape = {
  tokenId: TokenIdSchema,
  ...eachAmount(() => AmountInput),
  validUntil: EndInput.optional(),
  onlyWithAgentWallet: z.boolean().default(false).openapi({
    description:
      "Whether payments need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change of the limits sets this anew.",
  }),
  approval: AmountInput.optional().openapi({
    description:
      "What the stablecoin's approval of the vault should be at least. Where it is less, the owner signs a permit too, and sends no transaction. All agents of the owner share the approval.",
  }),
};

const { message, signature } = messageShape<PermitMessage>("Permit", PERMIT_TYPES.Permit);

export const AllowanceBody = z.strictObject(LimitsShape).openapi("AllowanceLimits");

export const SignedAllowanceBody = z
  .strictObject({
    ...LimitsShape,
    ...messageShape<SetAllowanceMessage>("SetAllowance", ALLOWANCE_VAULT_TYPES.SetAllowance),
    permit: z
      .strictObject({ message, signature })
      .optional()
      .openapi({ description: "The owner's second signature, where the typed data has a permit." }),
  })
  .openapi("SignedAllowance");

export const EndBody = z.strictObject({ tokenId: TokenIdSchema }).openapi("AllowanceEndRequest");

export const SignedEndBody = z
  .strictObject({
    tokenId: TokenIdSchema.optional(),
    ...messageShape<EndAllowanceMessage>(
      "DeactivateAllowance",
      ALLOWANCE_VAULT_TYPES.DeactivateAllowance,
    ),
  })
  .openapi("SignedAllowanceEnd");

export const AllowanceTypedData = TypedDataSchema.extend({
  permit: TypedDataSchema.optional().openapi({
    description:
      "ERC-2612, in the stablecoin's domain: the owner signs it too. Absent when no approval was asked for, or the present one suffices.",
  }),
}).openapi("AllowanceTypedData");

const Amount = z.int().min(0).openapi({
  description: "Base units. An amount above 2^53-1 is answered as that; the text is exact.",
});
const AmountText = z.string().openapi({ description: "Decimal, in units of the stablecoin." });

/** As `amountMembers` answers them. */
function amountShape<Name extends string>(amounts: Readonly<Record<Name, typeof Amount>>) {
  const members = Object.entries(amounts).flatMap(([name, amount]) => [
    [name, amount],
    [`${name}Formatted`, AmountText],
  ]);
  return Object.fromEntries(members) as Record<Name, typeof Amount> &
    Record<`${Name}Formatted`, typeof AmountText>;
}

const Limits = z.object({
  ...amountShape(eachAmount(() => Amount)),
  active: z.boolean(),
  validUntil: TimestampSchema.nullable().openapi({ description: "The last second, inclusive." }),
  onlyWithAgentWallet: z.boolean().openapi({
    description: "Whether payments need the passport's `agentWallet` to be the operator.",
  }),
});

/** What `Limits` describes. `validUntil` is in Unix seconds. */
export function limitsAnswer(
  limits: Readonly<Record<AllowanceAmount, bigint>> & {
    readonly active: boolean;
    readonly validUntil: number | null;
    readonly onlyWithAgentWallet: boolean;
  },
) {
  const { active, validUntil, onlyWithAgentWallet } = limits;
  return {
    ...amountMembers(eachAmount((name) => limits[name])),
    active,
    validUntil: validUntil === null ? null : dateOf(BigInt(validUntil)).toISOString(),
    onlyWithAgentWallet,
  };
}

export const AllowanceChanged = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    allowance: Limits,
    missingApproval: z
      .object(
        amountShape({
          approved: Amount.openapi({ description: "What the vault may move." }),
          wanted: Amount.openapi({ description: "What the permit should approve." }),
        }),
      )
      .nullable()
      .openapi({
        description:
          "The limits are in force, but the vault may move less than `approval`: approve it by a transaction, or sign again. Null when nothing is missing.",
      }),
    txHash: Hex32Schema,
  })
  .openapi("AllowanceChanged");

export const AllowanceEnded = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    allowance: z.object({ active: z.literal(false), deactivatedAt: TimestampSchema }),
    txHash: Hex32Schema,
  })
  .openapi("AllowanceEnded");

const FundingAnswer = z
  .object({
    ...amountShape({
      balance: Amount,
      approved: Amount.openapi({ description: "What the vault may move from the owner's wallet." }),
    }),
    shared: z
      .object({
        agents: z.int().min(0),
        ...amountShape({
          dailyLimit: Amount,
          remainingToday: Amount,
          availableToday: Amount.openapi({
            description: "The least of balance, approval and what all limits leave today.",
          }),
        }),
      })
      .openapi({
        description:
          "All agents that can pay from this wallet, this one included: they share balance and approval. As last indexed.",
      }),
  })
  .openapi("AllowanceFunding", {
    description: "The owner's money, read from the chain. Zero while the soul is not valid.",
  });

export const AllowanceAnswer = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    allowance: Limits.extend({
      reason: z.enum(OVERSPENDING_REASONS).nullable().openapi({
        description: "What forbids every payment now; null for nothing.",
      }),
      epoch: z.int(),
      version: z.int(),
      usage: z.object({
        ...amountShape({ spentToday: Amount, remainingToday: Amount }),
        periodStart: TimestampSchema,
        periodEnd: TimestampSchema.openapi({ description: "Exclusive." }),
        transactionsToday: z.int().min(0).openapi({
          description: "Payments made or reported today, as last indexed.",
        }),
      }),
    }),
    funding: FundingAnswer,
    block: z.int().openapi({ description: "The block that limits and funding were read at." }),
  })
  .openapi("Allowance");

export const CanSpendAnswer = z
  .object({
    ...AgentIdsAnswer,
    ...amountShape({ amount: Amount }),
    allowed: z.boolean().openapi({
      description: "About the limits alone. For the money see `funding.sufficient`.",
    }),
    reason: z.enum(OVERSPENDING_REASONS).nullable(),
    detail: z.string().optional().openapi({ description: "The reason in words." }),
    remainingAfter: z
      .object({
        perTransaction: z.boolean().openapi({ description: "Within the limit for one payment." }),
        ...amountShape({ dailyRemaining: Amount }),
      })
      .optional()
      .openapi({ description: "Only when allowed." }),
    funding: FundingAnswer.extend({
      sufficient: z.boolean().openapi({
        description: "Whether balance and approval cover the amount now.",
      }),
    }),
    block: z.int(),
  })
  .openapi("CanSpend");

export const HistoryAnswer = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    ...amountShape({
      totalSpent: Amount.openapi({ description: "Made and reported payments of all pages." }),
    }),
    transactionCount: z.int().min(0).openapi({ description: "How many these are." }),
    totalEntries: z.int().min(0).openapi({
      description: "Entries of all pages, refused payments included.",
    }),
    history: z.array(
      z.object({
        ...amountShape({ amount: Amount }),
        recipient: z.string(),
        recipientAgent: z.string().nullable().openapi({
          description:
            "The one agent that takes payments at this account; null for none or several.",
        }),
        timestamp: TimestampSchema,
        txHash: Hex32Schema,
        status: z.enum(["paid", "refused", "reported"]),
        withinLimits: z.boolean(),
        violationType: z
          .enum([...OVERSPENDING_REASONS, "TRANSFER_FAILED"])
          .optional()
          .openapi({
            description: "What it violated; absent for nothing. A report is the operator's word.",
          }),
        paymentRef: Hex32Schema,
        digest: Hex32Schema.nullable().openapi({
          description:
            "EIP-712 digest of the payment that the operator signed; null for its own transaction.",
        }),
        epoch: z.int(),
      }),
    ),
    nextCursor: NextCursor,
  })
  .openapi("AllowanceHistory");
