import { z } from "@hono/zod-openapi";
import { dateOf } from "../../kernel/chain-time.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import { idNumber, NameOrTokenIdParam, TimestampSchema } from "../../platform/http/schemas.ts";
import { type IndexedEvent, wordsOf } from "./events.ts";
import { type DetailsOf, EVENT_KINDS, type EventKind, type FieldType, KINDS } from "./kinds.ts";

const Address = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Hash = z.string().openapi({ pattern: "^0x[0-9a-f]{64}$" });
const Amount = z.string().openapi({ pattern: "^-?[0-9]+$" });

const FIELD_SCHEMAS: Readonly<Record<FieldType, z.ZodType>> = {
  address: Address,
  "address?": Address.nullable(),
  hash: Hash,
  "hash?": Hash.nullable(),
  amount: Amount,
  "amount?": Amount.nullable(),
  integer: z.int(),
  "integer?": z.int().nullable(),
  id: z.string().openapi({ pattern: "^[0-9]+$" }),
  boolean: z.boolean(),
  text: z.string(),
  "text?": z.string().nullable(),
  "time?": TimestampSchema.nullable(),
  trust: z.enum(["none", "revoked", "limited", "verified", "trusted"]),
};

const Common = z
  .object({
    id: z.string().openapi({
      description: "Block, place in the block and part: unique, and the order of the chain.",
      example: "1204-3-0",
    }),
    title: z.string(),
    summary: z.string().openapi({ description: "What happened, in one English sentence." }),
    meaning: z.string().openapi({ description: "What it means for users of the agent." }),
    block: z.int(),
    logIndex: z.int(),
    timestamp: TimestampSchema,
    txHash: Hash,
    final: z.boolean().openapi({
      description:
        "Whether the block is so deep that this service acts on it. Before that, a reorganization of the chain can take the event back.",
    }),
    tokenId: z.int().nullable().openapi({ description: "Null where no agent is concerned." }),
    agentName: z.string().nullable(),
    epoch: z.int().nullable(),
    erc8004AgentId: z.int().nullable().openapi({
      description: "The passport. Null also for one whose id is above 2^53-1.",
    }),
    organizationId: z.int().nullable(),
    otherAgentName: z.string().nullable(),
  })
  .openapi("EventInWords");

/** What a program reads of one event. */
export interface EventBody {
  readonly id: string;
  readonly kind: EventKind;
  readonly title: string;
  readonly summary: string;
  readonly meaning: string;
  readonly block: number;
  readonly logIndex: number;
  readonly timestamp: string;
  readonly txHash: string;
  readonly final: boolean;
  readonly tokenId: number | null;
  readonly agentName: string | null;
  readonly epoch: number | null;
  readonly erc8004AgentId: number | null;
  readonly organizationId: number | null;
  readonly otherAgentName: string | null;
  readonly details: DetailsOf<EventKind>;
}

const [first, ...others] = KINDS.map((kind) => {
  const fields = Object.entries(EVENT_KINDS[kind].fields).map(
    ([name, type]) => [name, FIELD_SCHEMAS[type as FieldType]] as const,
  );
  return z.object({
    kind: z.literal(kind).openapi({ description: EVENT_KINDS[kind].meaning }),
    details: z.object(Object.fromEntries(fields)),
  });
});
if (first === undefined) throw new Error("There are no kinds of events.");

/** One event; its kind says which details it has. */
export const EventSchema = z
  .intersection(Common, z.discriminatedUnion("kind", [first, ...others]))
  .openapi("IndexedEvent") as unknown as z.ZodType<EventBody>;

const idOrNull = (id: bigint | null) =>
  id === null || id > BigInt(Number.MAX_SAFE_INTEGER) ? null : idNumber(id);

/** An event as it is answered. */
export function eventBody(event: IndexedEvent, settled: bigint): EventBody {
  const { kind, block, logIndex, part, agent, other } = event;
  const { title, sentence, meaning } = wordsOf(event);
  return {
    id: `${block}-${logIndex}-${part}`,
    kind,
    title,
    summary: sentence,
    meaning,
    block: Number(block),
    logIndex,
    timestamp: dateOf(event.timestamp).toISOString(),
    txHash: event.tx,
    final: block <= settled,
    tokenId: idOrNull(agent?.tokenId ?? null),
    agentName: agent?.name ?? null,
    epoch: event.epoch,
    erc8004AgentId: idOrNull(event.passportId),
    organizationId: idOrNull(event.organizationId),
    otherAgentName: other?.name ?? null,
    details: event.details,
  };
}

/** Cursors of events; those of a page, an answer and the stream are the same. */
export const eventCursors = listCursors(
  "events",
  z.strictObject({
    block: IdPart,
    logIndex: z.int32().min(0),
    part: IdPart,
    settled: IdPart,
    digest: z.string().regex(/^(?:[0-9a-f]{16})?$/),
  }),
);

/** Which events: those of one agent, of one kind. */
export const EventFilter = {
  agent: NameOrTokenIdParam.optional().openapi({
    description:
      "Only events of this agent: its name or token id. Those of its passport count while the passport carried it.",
  }),
  kind: z.enum(KINDS).optional().openapi({ description: "Only events of this kind." }),
};
