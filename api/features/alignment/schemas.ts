import { z } from "@hono/zod-openapi";
import { bigintsAsText } from "../../../protocol/alignment/order.ts";
import { ALIGNMENT_WEIGHTS, type AlignmentComponent } from "../../../protocol/index.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  IdFromClaimAnswer,
  idNumber,
  idNumberOrNull,
  NameParam,
  TimestampSchema,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { byName, byTokenId, type SoulRef } from "../../soul/soul-ref.ts";
import type { CalculatedAlignment, StoredAlignment, UsedFacts } from "./alignment.ts";
import { SNAPSHOT_STATUSES, type SnapshotProgress } from "./snapshots/snapshot.ts";

const COMPONENTS = Object.keys(ALIGNMENT_WEIGHTS) as AlignmentComponent[];

function ofComponents<Value extends z.ZodType>(value: Value) {
  return z.object(
    Object.fromEntries(COMPONENTS.map((name) => [name, value])) as Record<
      AlignmentComponent,
      Value
    >,
  );
}

const ScoreSchema = z.int().min(0).max(100);

const BreakdownSchema = ofComponents(ScoreSchema).openapi("AlignmentBreakdown", {
  description: "Each component from 0 to 100. The score is their weighted sum.",
});

const FactSchema = z
  .looseObject({
    kind: z.string(),
    place: z
      .object({
        blockNumber: z.string(),
        transactionHash: Hex32Schema,
        logIndex: z.int().min(0),
      })
      .optional(),
  })
  .openapi("AlignmentFact", {
    description:
      "One input, as in the archived snapshot. With `place`, an event that anyone can read again on chain. Without it, counts of what only the service knows.",
  });

const InputsSchema = ofComponents(z.array(FactSchema)).openapi("AlignmentInputs", {
  description: "The facts that each component used.",
});

const FreshnessSchema = z.object({
  isFresh: z.boolean().openapi({ description: "Whether it is less than 24 hours old." }),
  ageHours: z.int().nullable().openapi({ description: "Null without a snapshot." }),
});

/** `GET /alignment/{name}`. */
export const AlignmentSchema = z
  .object({
    agentName: z.string(),
    tokenId: IdFromClaimAnswer,
    erc8004AgentId: IdFromClaimAnswer,
    score: ScoreSchema.nullable().openapi({ description: "The last one on chain in this epoch." }),
    breakdown: BreakdownSchema.nullable(),
    previousScore: ScoreSchema.nullable(),
    snapshotTimestamp: TimestampSchema.nullable().openapi({
      description: "Time of the block whose state was scored.",
    }),
    onChainTimestamp: TimestampSchema.nullable(),
    onChainRecorded: z.boolean(),
    isNewAgent: z.boolean().openapi({
      description:
        "Whether the agent, or its present epoch, is under 30 days old: it has no score.",
    }),
    isProvisional: z.boolean().openapi({ description: "Whether the soul is not sealed yet." }),
    soulValidity: z.enum(["valid", "suspended", "not_linked"]),
    freshness: FreshnessSchema,
    snapshotBlock: IdAnswer.nullable(),
    arweaveTxId: z.string().nullable().openapi({
      description: "The signed item with every input of the score.",
    }),
    txHash: Hex32Schema.nullable(),
    inputs: InputsSchema.nullable(),
    message: z.string(),
  })
  .openapi("Alignment");

/** `GET /alignment/calculate`. */
export const StoredAlignmentSchema = AlignmentSchema.extend({
  snapshot: z
    .object({
      snapshotId: z.string(),
      status: z.enum(SNAPSHOT_STATUSES).openapi({
        description:
          "`computing`: it waits for a block that is deep enough. `recording`: it is archived. `recorded`: its score is on chain. `dropped`: no score came of it.",
      }),
      openedAt: TimestampSchema.openapi({ description: "When it was asked for or scheduled." }),
      reason: z.string().nullable().openapi({
        description: "Why it was dropped. Null unless it was.",
      }),
    })
    .nullable()
    .openapi({
      description: "The last snapshot that was asked for or scheduled. Null before the first.",
    }),
}).openapi("StoredAlignment");

/** `POST /alignment/calculate`. */
export const CalculatedSchema = z
  .object({
    agentName: z.string(),
    tokenId: IdAnswer,
    score: ScoreSchema.nullable(),
    breakdown: BreakdownSchema,
    previousScore: ScoreSchema.nullable().openapi({
      description: "The last one on chain in this epoch; null without one.",
    }),
    onChainRecorded: z.boolean().openapi({
      description: "Whether the last score on chain is the same.",
    }),
    isNewAgent: z.boolean(),
    isProvisional: z.boolean(),
    calculatedAt: TimestampSchema.openapi({ description: "Time of the block that was scored." }),
    inputs: InputsSchema,
    message: z.string(),
  })
  .openapi("CalculatedAlignment");

/** The body of `POST /alignment/calculate`: exactly one of the two. */
export const CalculateSchema = z
  .strictObject({ agentName: NameParam.optional(), tokenId: TokenIdSchema.optional() })
  .refine(namesOne, { message: "Give either agentName or tokenId" })
  .openapi("CalculateAlignment");

/** The same as a query. */
export const CalculateQuery = z.object({
  agentName: NameParam.optional(),
  tokenId: TokenIdParam.optional(),
});

/** The body of `POST /snapshot`. */
export const SnapshotRequestSchema = z
  .strictObject({ tokenId: TokenIdSchema })
  .openapi("SnapshotRequest");

export const SnapshotSchema = z
  .object({
    ...AgentIdsAnswer,
    snapshotId: z.string(),
    status: z.literal("computing"),
    estimatedCompletion: TimestampSchema,
  })
  .openapi("Snapshot");

/** The longest age that a reader may require, in days: ten years. */
const MAX_AGE_DAYS = 3650;

/** The body of `POST /verify/freshness`. */
export const FreshnessRequestSchema = z
  .strictObject({ agentName: NameParam, maxAgeDays: z.int().min(1).max(MAX_AGE_DAYS) })
  .openapi("FreshnessRequest");

export const FreshnessAnswerSchema = z
  .object({
    agentName: z.string(),
    meetsFreshnessRequirement: z.boolean(),
    lastSnapshot: TimestampSchema.nullable(),
    snapshotAgeDays: z.number().min(0).nullable().openapi({
      description: "With two decimals, rounded down. Null without a snapshot.",
    }),
    requiredMaxDays: z.int().min(0),
  })
  .openapi("Freshness");

interface Named {
  readonly agentName?: string | undefined;
  readonly tokenId?: bigint | undefined;
}

function namesOne({ agentName, tokenId }: Named): boolean {
  return (agentName === undefined) !== (tokenId === undefined);
}

/** The agent that a request names; null unless it names exactly one. */
export function refOf(named: Named): SoulRef | null {
  const { agentName, tokenId } = named;
  if (!namesOne(named)) return null;
  if (tokenId !== undefined) return byTokenId(tokenId);
  return agentName === undefined ? null : byName(agentName);
}

/* ANSWERS */

export function alignmentBody(stored: StoredAlignment) {
  const { recorded, isFresh, ageHours } = stored;
  return {
    score: recorded?.score ?? null,
    breakdown: recorded?.breakdown ?? null,
    previousScore: recorded?.previousScore ?? null,
    snapshotTimestamp: recorded?.scoredAt.toISOString() ?? null,
    onChainTimestamp: recorded?.recordedAt.toISOString() ?? null,
    onChainRecorded: recorded !== null,
    snapshotBlock: idNumberOrNull(recorded?.scoredBlock ?? null),
    arweaveTxId: recorded?.archiveId ?? null,
    txHash: recorded?.txHash ?? null,
    inputs: recorded && inputsBody(recorded.used),
    agentName: stored.agentName,
    tokenId: idNumberOrNull(stored.tokenId),
    erc8004AgentId: idNumberOrNull(stored.passportId),
    isNewAgent: stored.isNewAgent,
    isProvisional: stored.isProvisional,
    soulValidity: stored.soulValidity,
    freshness: { isFresh, ageHours },
    message: stored.message,
  };
}

export function storedBody(stored: StoredAlignment, progress: SnapshotProgress | null) {
  const snapshot = progress && { ...progress, openedAt: progress.openedAt.toISOString() };
  return { ...alignmentBody(stored), snapshot };
}

export function calculatedBody({ used, message, ...calculated }: CalculatedAlignment) {
  return {
    ...calculated,
    tokenId: idNumber(calculated.tokenId),
    calculatedAt: calculated.calculatedAt.toISOString(),
    inputs: inputsBody(used),
    message,
  };
}

type FactBody = z.output<typeof FactSchema>;

function inputsBody(used: UsedFacts) {
  return Object.fromEntries(
    COMPONENTS.map((name) => [name, used[name].map((fact) => bigintsAsText(fact) as FactBody)]),
  ) as Record<AlignmentComponent, FactBody[]>;
}
