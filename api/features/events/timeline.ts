import type { RecordedChronicle } from "../chronicles/index.ts";
import type { AgentLife, EventPosition, EventReads, IndexedEvent } from "./events.ts";

/** One epoch of a soul: whose it was, from when to when. */
export interface EpochSpan {
  readonly epoch: number;
  readonly owner: string;
  /** Unix seconds. */
  readonly startedAt: bigint;
  /** Null for the current one. */
  readonly endedAt: bigint | null;
}

/** Something in an agent's life: on chain, or a record that the service keeps. */
export type TimelineEntry =
  | { readonly type: "event"; readonly event: IndexedEvent }
  | { readonly type: "chronicle"; readonly chronicle: RecordedChronicle };

/** Entries of one epoch that follow each other. */
export interface TimelineBand {
  readonly epoch: number | null;
  /** Null for what is older than the first epoch. */
  readonly span: EpochSpan | null;
  readonly entries: readonly TimelineEntry[];
}

/** Both lists go on before these. */
export interface TimelinePosition {
  readonly event: EventPosition;
  readonly chronicleId: bigint;
}

export interface Timeline {
  readonly bands: readonly TimelineBand[];
  /** Where older entries begin; null on the last page. */
  readonly older: TimelinePosition | null;
}

export interface TimelineDeps {
  readonly reads: EventReads;
  readonly lifeOf: (tokenId: bigint) => Promise<AgentLife | null>;
  /** The epochs of a soul, the newest first. */
  readonly epochs: (tokenId: bigint) => Promise<readonly EpochSpan[]>;
  readonly chronicles: {
    list(
      tokenId: bigint,
      filter: object,
      page: {
        readonly limit: number;
        readonly offset: number;
        readonly after?: { readonly chronicleId: bigint } | undefined;
      },
    ): Promise<{ readonly chronicles: readonly RecordedChronicle[] }>;
  };
}

export type TimelineService = ReturnType<typeof createTimeline>;

const NO_EVENT: EventPosition = { block: 0n, logIndex: 0, part: 0n };

/** The lives of agents: events of the index and records of the service, merged by time. */
export function createTimeline({ reads, lifeOf, epochs, chronicles }: TimelineDeps) {
  return {
    /** The newest entries first, or those before a position. Null without a soul of this id. */
    async page(
      tokenId: bigint,
      { before, limit }: { readonly before: TimelinePosition | null; readonly limit: number },
    ): Promise<Timeline | null> {
      const life = await lifeOf(tokenId);
      if (life === null) return null;
      const after = before === null ? undefined : { chronicleId: before.chronicleId };
      const [{ value: events }, recorded, spans] = await Promise.all([
        reads.events({
          agent: life,
          kind: null,
          order: "newest",
          after: before?.event ?? null,
          upTo: null,
          limit: limit + 1,
        }),
        chronicles.list(tokenId, {}, { limit: limit + 1, offset: 0, after }),
        epochs(tokenId),
      ]);
      const { entries, older } = mergedByTime(events, recorded.chronicles, { limit, spans });
      return { bands: inBands(tokenId, entries, spans), older };
    },
  };
}

/**
 * The latest `limit` entries of two lists, each the newest first, and where both go on. One more
 * than `limit` of each tells whether there are older ones.
 */
function mergedByTime(
  events: readonly IndexedEvent[],
  chronicles: readonly RecordedChronicle[],
  { limit, spans }: { readonly limit: number; readonly spans: readonly EpochSpan[] },
): { readonly entries: readonly TimelineEntry[]; readonly older: TimelinePosition | null } {
  const entries: TimelineEntry[] = [];
  let e = 0;
  let c = 0;
  while (entries.length < limit) {
    const event = events[e];
    const chronicle = chronicles[c];
    if (event === undefined && chronicle === undefined) break;
    const isRecordNewer =
      chronicle !== undefined &&
      (event === undefined || recordedAt(chronicle, spans) >= timeOf(event));
    if (!isRecordNewer) {
      if (event !== undefined) entries.push({ type: "event", event });
      e += 1;
    } else {
      entries.push({ type: "chronicle", chronicle });
      c += 1;
    }
  }
  const [event, chronicle] = [events[e], chronicles[c]];
  if (event === undefined && chronicle === undefined) return { entries, older: null };
  return {
    entries,
    older: {
      // Before the place behind it: a list that has ended goes on nowhere.
      event: event === undefined ? NO_EVENT : { ...placeOf(event), part: event.part + 1n },
      chronicleId: chronicle === undefined ? 0n : chronicle.chronicleId + 1n,
    },
  };
}

/**
 * Clocks of chain and service differ, but a record belongs to the epoch in which it was taken: it is
 * neither older than the beginning of that epoch nor newer than its end.
 */
function recordedAt({ recordedAt: at, epoch }: RecordedChronicle, spans: readonly EpochSpan[]) {
  const span = spans.find((one) => one.epoch === epoch);
  const startedAt = Number(span?.startedAt ?? 0n) * 1000;
  const endedAt = span?.endedAt ?? null;
  const latest = endedAt === null ? Infinity : Number(endedAt) * 1000 - 1;
  return Math.max(Math.min(at.getTime(), latest), startedAt);
}

const timeOf = ({ timestamp }: IndexedEvent) => Number(timestamp) * 1000;
const placeOf = ({ block, logIndex }: EventPosition) => ({ block, logIndex });

/** An event of two agents, such as a binding, names the epoch of the first. */
function epochOf(tokenId: bigint, entry: TimelineEntry, spans: readonly EpochSpan[]) {
  if (entry.type === "chronicle") return entry.chronicle.epoch;
  const { agent, epoch, timestamp } = entry.event;
  if (agent?.tokenId === tokenId) return epoch;
  return spans.find(({ startedAt }) => startedAt <= timestamp)?.epoch ?? null;
}

function inBands(
  tokenId: bigint,
  entries: readonly TimelineEntry[],
  spans: readonly EpochSpan[],
): readonly TimelineBand[] {
  const bands: { epoch: number | null; span: EpochSpan | null; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const epoch = epochOf(tokenId, entry, spans);
    const last = bands.at(-1);
    if (last !== undefined && last.epoch === epoch) last.entries.push(entry);
    else {
      const span = spans.find((one) => one.epoch === epoch) ?? null;
      bands.push({ epoch, span, entries: [entry] });
    }
  }
  return bands;
}
