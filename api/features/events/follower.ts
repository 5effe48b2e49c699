import type { IndexedPoint, Reading } from "../../soul/index-reads.ts";
import {
  comparePositions,
  cursorAt,
  type EventCursor,
  type EventFilter,
  type EventPosition,
  type EventReads,
  endOfBlock,
  type IndexedEvent,
  matches,
  settledBlock,
} from "./events.ts";

/** What a subscriber is sent. */
export type FollowedMessage =
  | { readonly type: "event"; readonly event: IndexedEvent; readonly cursor: EventCursor }
  /** Blocks that the cursor stood on were replaced: what a list had of them is void, and what holds follows. */
  | { readonly type: "replaced"; readonly fromBlock: bigint; readonly cursor: EventCursor }
  /** Nothing has happened for a while. */
  | { readonly type: "idle" };

export interface EventFollowerOptions {
  readonly reads: EventReads;
  /** How far the index is, as text that changes with every block. Cheap. */
  readonly progress: () => Promise<{ readonly text: string; readonly at: IndexedPoint }>;
  /** The first replaced block of those that a cursor stands on; null for none. */
  readonly replacedFrom: (cursor: EventCursor, at: IndexedPoint) => Promise<bigint | null>;
  readonly confirmations: number;
  /** Milliseconds between two looks at the index while there are subscribers. */
  readonly pollMs: number;
  /** Milliseconds after which a subscriber without events is sent `idle`. */
  readonly idleMs: number;
  /** A look that failed; the next one tries again. */
  readonly failed: (error: unknown) => void;
}

/** Recent events are held in memory: a subscriber that is up to date causes no reads. */
const HELD = 2_000;
const PAGE = 200;

export type IndexFollower = ReturnType<typeof createIndexFollower>;

/**
 * Follows the index for any number of subscribers: one look at it serves all of them. It looks only
 * while there are subscribers. They are sent what is final, so that nothing has to be taken back.
 */
export function createIndexFollower(options: EventFollowerOptions) {
  const { reads, progress, replacedFrom, confirmations, pollMs, idleMs, failed } = options;
  /** Every event after `base` up to the last final block, oldest first. */
  let held: readonly IndexedEvent[] = [];
  let base: EventPosition | undefined;
  let settled = 0n;
  let seen = "";
  let point: IndexedPoint | undefined;
  let subscribers = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let wake: () => void = () => {};
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });

  function announce(): void {
    const wakeAll = wake;
    changed = new Promise((resolve) => {
      wake = resolve;
    });
    wakeAll();
  }

  /** All events after a position, and the earliest point of the index that they were read at. */
  async function eventsAfter(
    position: EventPosition,
    upTo: EventPosition,
  ): Promise<Reading<readonly IndexedEvent[]>> {
    const all: IndexedEvent[] = [];
    let after = position;
    let earliest: IndexedPoint | undefined;
    for (;;) {
      const { at, value } = await reads.events({
        ...ALL,
        order: "oldest",
        after,
        upTo,
        limit: PAGE,
      });
      if (earliest === undefined || at.block < earliest.block) earliest = at;
      all.push(...value);
      const last = value.at(-1);
      if (value.length < PAGE || last === undefined) return { at: earliest, value: all };
      after = last;
    }
  }

  /** Reads what became final. */
  async function look(): Promise<void> {
    const { text, at } = await progress();
    if (text === seen) return;
    const final = settledBlock(at, confirmations);
    if (base === undefined) {
      base = endOfBlock(final);
      settled = final;
    } else if (final > settled) {
      const reading = await eventsAfter(endOfBlock(settled), endOfBlock(final));
      // A restarted index writes recent blocks again, and may have begun between the two reads.
      const certain = settledBlock(reading.at, confirmations);
      if (certain < final) return;
      held = trimmed([...held, ...reading.value]);
      settled = final;
    }
    seen = text;
    point = at;
    announce();
  }

  /** Forgets the oldest of too many events. */
  function trimmed(all: readonly IndexedEvent[]): readonly IndexedEvent[] {
    const dropped = all.slice(0, Math.max(0, all.length - HELD));
    base = dropped.at(-1) ?? base;
    return all.slice(dropped.length);
  }

  let looking: Promise<void> | undefined;
  /** Never rejects. */
  function sharedLook(): Promise<void> {
    looking ??= look()
      .catch(failed)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function run(): Promise<void> {
    await sharedLook();
    if (subscribers === 0 || isClosed) {
      timer = undefined;
      return;
    }
    timer = setTimeout(run, pollMs);
    timer.unref();
  }

  /** Nothing was followed while there was no subscriber. */
  function forget(): void {
    held = [];
    base = undefined;
    settled = 0n;
    point = undefined;
    seen = "";
  }

  let starting: Promise<void> | undefined;
  /** Resolves once the follower has looked; it knows where it is unless that failed. */
  async function started(): Promise<void> {
    if (timer === undefined) {
      if (starting === undefined) forget();
      starting ??= run().finally(() => {
        starting = undefined;
      });
      await starting;
    } else {
      // What it knows is as old as its last look.
      await sharedLook();
    }
  }

  async function changedWithin(ms: number, signal?: AbortSignal): Promise<boolean> {
    let bound: NodeJS.Timeout | undefined;
    let abort = () => {};
    const late = new Promise<boolean>((resolve) => {
      bound = setTimeout(() => resolve(false), ms);
      abort = () => resolve(false);
      signal?.addEventListener("abort", abort, { once: true });
    });
    try {
      return await Promise.race([changed.then(() => true), late]);
    } finally {
      clearTimeout(bound);
      signal?.removeEventListener("abort", abort);
    }
  }

  function heldAfter(position: EventPosition): readonly IndexedEvent[] {
    let first = held.length;
    while (first > 0) {
      const one = held[first - 1];
      if (one === undefined || comparePositions(one, position) <= 0) break;
      first -= 1;
    }
    return held.slice(first);
  }

  async function* messages(
    from: EventCursor | null,
    filter: EventFilter,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedMessage, void, undefined> {
    const isOpen = () => !signal.aborted && !isClosed;
    await started();
    // The index or its database may be away, and what a cursor stands on may not be final yet.
    const isReady = () =>
      point !== undefined &&
      (from === null || from.digest === "" || (from.block <= settled && from.block <= point.block));
    while (!isReady() && isOpen()) {
      if (!(await changedWithin(idleMs, signal)) && isOpen()) yield { type: "idle" };
    }
    let position: EventPosition = from ?? endOfBlock(settled);
    if (from !== null && point !== undefined && isOpen()) {
      const replaced = await replacedFrom(from, point);
      if (replaced !== null) {
        position = endOfBlock(replaced - 1n);
        yield { type: "replaced", fromBlock: replaced, cursor: finalCursor(position) };
      }
    }
    while (isOpen()) {
      const end = base;
      if (end !== undefined && comparePositions(position, end) < 0) {
        // Older than what is held: read from the index.
        const older = { ...filter, order: "oldest", after: position, upTo: end } as const;
        const { value } = await reads.events({ ...older, limit: PAGE });
        for (const event of value) {
          if (!isOpen()) return;
          yield { type: "event", event, cursor: finalCursor(event) };
        }
        position = value.length < PAGE ? end : (value.at(-1) ?? end);
        continue;
      }
      const next = heldAfter(position);
      if (next.length === 0) {
        if (!(await changedWithin(idleMs, signal)) && isOpen()) yield { type: "idle" };
        continue;
      }
      for (const event of next) {
        if (!isOpen()) return;
        position = event;
        if (matches(event, filter)) yield { type: "event", event, cursor: finalCursor(event) };
      }
    }
  }

  return {
    /**
     * What is final from a cursor on, or becomes final from now on without one. Ends when `signal` is aborted or
     * the follower is closed.
     */
    async *follow(
      from: EventCursor | null,
      filter: EventFilter,
      signal: AbortSignal,
    ): AsyncGenerator<FollowedMessage, void, undefined> {
      subscribers += 1;
      try {
        yield* messages(from, filter, signal);
      } finally {
        subscribers -= 1;
      }
    },

    /** Ends every subscription. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      announce();
    },
  };
}

const ALL: EventFilter = { agent: null, kind: null };

const finalCursor = (position: EventPosition) => cursorAt(position, position.block, []);
