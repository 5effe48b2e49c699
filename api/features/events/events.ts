import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { IndexedPoint, Reading } from "../../soul/index-reads.ts";
import { noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import { type DetailsOf, EVENT_KINDS, type EventKind, sentenceOf } from "./kinds.ts";

/** Where an event is in the chain. */
export interface EventPosition {
  readonly block: bigint;
  readonly logIndex: number;
  /** One log can say something of several agents: the token id of each. Otherwise 0. */
  readonly part: bigint;
}

/** An agent as an event names it. */
export interface EventAgent {
  readonly tokenId: bigint;
  readonly name: string;
}

/** Something that happened, as the index has it. */
export interface IndexedEvent<Kind extends EventKind = EventKind> extends EventPosition {
  readonly kind: Kind;
  /** Unix seconds of the block. */
  readonly timestamp: bigint;
  readonly tx: Hex;
  /** Null for a passport without a soul, and for what concerns no agent. */
  readonly agent: EventAgent | null;
  /** The second agent of a binding. */
  readonly other: EventAgent | null;
  readonly passportId: bigint | null;
  readonly organizationId: bigint | null;
  /** The agent's epoch in which it happened; null where no agent is concerned. */
  readonly epoch: number | null;
  readonly details: DetailsOf<Kind>;
}

/** The life of one agent: its own events, and those of its passport while the passport carried it. */
export interface AgentLife {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly firstBlock: bigint;
  /** Null while it has not ended. */
  readonly lastBlock: bigint | null;
}

/** Which events are asked for. */
export interface EventFilter {
  /** Null for all agents. */
  readonly agent: AgentLife | null;
  /** Null for all kinds. */
  readonly kind: EventKind | null;
}

export interface EventQuery extends EventFilter {
  readonly order: "newest" | "oldest";
  /** Null for the beginning of the order. */
  readonly after: EventPosition | null;
  /** In the order of the chain: the last event that is read. Null for no bound. */
  readonly upTo: EventPosition | null;
  readonly limit: number;
}

export interface EventReads {
  /** Events up to the indexed block. One statement. */
  events(query: EventQuery): Promise<Reading<readonly IndexedEvent[]>>;
}

/**
 * A position together with what was not final yet before it: blocks can be replaced, and the
 * position alone would not tell.
 */
export interface EventCursor extends EventPosition {
  /** The last block that was final when the cursor was made. */
  readonly settled: bigint;
  /** Of the events after that block, up to and with the position. Empty without one. */
  readonly digest: string;
}

/** Before every event. */
export const START: EventPosition = { block: 0n, logIndex: 0, part: 0n };
/** No log has such an index. */
const AFTER_EVERY_LOG = 2_147_483_647;
/** Events that are compared to notice a replaced block. */
const WINDOW = 2_000;

/** After every event of a block. */
export const endOfBlock = (block: bigint): EventPosition => ({
  block,
  logIndex: AFTER_EVERY_LOG,
  part: 0n,
});

/** Negative when `a` comes first. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  if (a.block !== b.block) return a.block < b.block ? -1 : 1;
  if (a.logIndex !== b.logIndex) return a.logIndex - b.logIndex;
  return a.part === b.part ? 0 : a.part < b.part ? -1 : 1;
}

const keyOf = ({ block, logIndex, part, tx }: IndexedEvent) => `${block}-${logIndex}-${part}-${tx}`;

/** The last block that can no longer be replaced. */
export function settledBlock(
  { block }: Pick<IndexedPoint, "block">,
  confirmations: number,
): bigint {
  const settled = block - BigInt(confirmations - 1);
  return settled < 0n ? 0n : settled;
}

/** The cursor at a position. `before` holds the events that were not final, up to and with it. */
export function cursorAt(
  { block, logIndex, part }: EventPosition,
  settled: bigint,
  before: readonly IndexedEvent[],
): EventCursor {
  const position = { block, logIndex, part };
  if (block <= settled) return { ...position, settled: block, digest: "" };
  return { ...position, settled, digest: digestOf(before) };
}

/** Of no more events than are read to compare. */
function digestOf(events: readonly IndexedEvent[]): string {
  const hash = createHash("sha256");
  for (const event of events.slice(0, WINDOW)) hash.update(`${keyOf(event)}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** The names that sentences are made with. */
function namesOf({ agent, other, passportId, organizationId }: IndexedEvent) {
  return {
    agent: agent?.name ?? `passport ${passportId}`,
    passport: agent === null ? `Passport ${passportId}` : `The passport of ${agent.name}`,
    other: other?.name ?? `organization ${organizationId}`,
  };
}

/** An event in words. */
export function wordsOf(event: IndexedEvent) {
  const { title, meaning } = EVENT_KINDS[event.kind];
  return { title, meaning, sentence: sentenceOf(event.kind, event.details, namesOf(event)) };
}

/** Whether an event belongs to an agent and a kind. */
export function matches(event: IndexedEvent, { agent, kind }: EventFilter): boolean {
  if (kind !== null && event.kind !== kind) return false;
  if (agent === null) return true;
  return event.agent?.tokenId === agent.tokenId || event.other?.tokenId === agent.tokenId;
}

/** A page of events, and where the pages beside it begin. */
export interface EventPage {
  readonly events: readonly IndexedEvent[];
  /** The last block that can no longer be replaced. */
  readonly settled: bigint;
  /** For what is older; null when nothing is. */
  readonly older: EventCursor | null;
  /** For what is newer, now or later. */
  readonly newer: EventCursor;
  /** Whether more newer events can be read now. */
  readonly hasNewer: boolean;
  /** The first replaced block, when the cursor was made before it was replaced. */
  readonly replacedFrom: bigint | null;
}

interface Listing {
  readonly reads: EventReads;
  /** Blocks until something counts; 1 means included. */
  readonly confirmations: number;
  /** Null for no agent of this name or token id. */
  readonly lifeOf: (ref: SoulRef) => Promise<AgentLife | null>;
}

export type EventService = ReturnType<typeof createEventService>;

/** Everything that happened, in the order of the chain. */
export function createEventService({ reads, confirmations, lifeOf }: Listing) {
  return {
    /** Null for no agent of this name or token id. */
    findLife: lifeOf,

    /**
     * The life whose events are asked for; null for all.
     *
     * @throws ApiError NOT_FOUND without such an agent.
     */
    async lifeOf(ref: SoulRef | undefined): Promise<AgentLife | null> {
      if (ref === undefined) return null;
      const life = await lifeOf(ref);
      if (life === null) throw noSuchSoul(ref);
      return life;
    },

    /** The newest first, from the newest one or from a cursor on. */
    async older(
      filter: EventFilter,
      { before, limit }: { readonly before: EventPosition | null; readonly limit: number },
    ): Promise<Reading<EventPage>> {
      const query = { ...filter, order: "newest", after: before, upTo: null } as const;
      const { at, value } = await reads.events({ ...query, limit: limit + 1 });
      const events = value.slice(0, limit);
      const [first] = events;
      const last = events.at(-1);
      const settled = settledBlock(at, confirmations);
      return {
        at,
        value: {
          events,
          settled,
          older: value.length > limit && last !== undefined ? cursorAt(last, last.block, []) : null,
          newer: await anchored(reads, first ?? before ?? START, settled),
          hasNewer: before !== null,
          replacedFrom: null,
        },
      };
    },

    /** The oldest first, behind a cursor. When blocks before it were replaced, from these on. */
    async newer(
      filter: EventFilter,
      { after, limit }: { readonly after: EventCursor; readonly limit: number },
    ): Promise<Reading<EventPage>> {
      const read = (from: EventPosition) =>
        reads.events({ ...filter, order: "oldest", after: from, upTo: null, limit: limit + 1 });
      let reading = await read(after);
      const replaced = await replacedFrom(reads, after, reading.at);
      if (replaced !== null) reading = await read(endOfBlock(after.settled));
      const { at, value } = reading;
      const settled = settledBlock(at, confirmations);
      const events = value.slice(0, limit);
      const last = events.at(-1);
      // A restarted index can be behind the cursor for a while.
      const stays = last === undefined && replaced === null && at.block < after.block;
      const end = last ?? (replaced === null ? after : endOfBlock(after.settled));
      return {
        at,
        value: {
          events,
          settled,
          older: null,
          newer: stays ? after : await anchored(reads, end, settled),
          hasNewer: value.length > limit,
          replacedFrom: replaced,
        },
      };
    },
  };
}

/** The cursor at a position, with what was not final before it. */
async function anchored(
  reads: EventReads,
  position: EventPosition,
  settled: bigint,
): Promise<EventCursor> {
  const isFinal = position.block <= settled;
  return cursorAt(position, settled, isFinal ? [] : await between(reads, settled, position));
}

/**
 * The first replaced block of those that a cursor stands on. Null when all of them are still
 * there, or when the index has not come as far again.
 */
export async function replacedFrom(
  reads: EventReads,
  cursor: EventCursor,
  at: IndexedPoint,
): Promise<bigint | null> {
  if (cursor.digest === "" || at.block < cursor.block) return null;
  const now = digestOf(await between(reads, cursor.settled, cursor));
  return now === cursor.digest ? null : cursor.settled + 1n;
}

async function between(
  reads: EventReads,
  settled: bigint,
  upTo: EventPosition,
): Promise<readonly IndexedEvent[]> {
  const { value } = await reads.events({
    agent: null,
    kind: null,
    order: "oldest",
    after: endOfBlock(settled),
    upTo,
    limit: WINDOW,
  });
  return value;
}
