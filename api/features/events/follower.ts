import type { IndexedPoint, Reading } from "../../soul/index-reads.ts";
import {
  comparePositions,
  cursorAt,
  cursorsAlong,
  type EventCursor,
  type EventFilter,
  type EventPosition,
  type EventReads,
  endOfBlock,
  type IndexedEvent,
  isSameEvent,
  matches,
  settledBlock,
} from "./events.ts";

/** What a subscriber is sent. */
export type FollowedMessage =
  | { readonly type: "event"; readonly event: IndexedEvent; readonly cursor: EventCursor }
  /** Blocks were replaced: what was sent of them is void, and what holds follows. */
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

interface Held {
  readonly event: IndexedEvent;
  readonly cursor: EventCursor;
}

/**
 * Follows the index for any number of subscribers: one look at it serves all of them. It looks only
 * while there are subscribers.
 */
export function createIndexFollower(options: EventFollowerOptions) {
  const { reads, progress, replacedFrom, confirmations, pollMs, idleMs, failed } = options;
  /** Every event after `base`, oldest first. What is before `base` is final. */
  let held: readonly Held[] = [];
  let base: EventPosition | undefined;
  let seen = "";
  let point: IndexedPoint | undefined;
  /** The first replaced block of each replacement, oldest first. */
  let replacements: readonly bigint[] = [];
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

  /** All events after a position, up to the indexed block. */
  async function eventsAfter(position: EventPosition): Promise<Reading<readonly IndexedEvent[]>> {
    const all: IndexedEvent[] = [];
    let after = position;
    let first: IndexedPoint | undefined;
    for (;;) {
      const { at, value } = await reads.events({
        agent: null,
        kind: null,
        order: "oldest",
        after,
        upTo: null,
        limit: PAGE,
      });
      first ??= at;
      all.push(...value);
      const last = value.at(-1);
      if (value.length < PAGE || last === undefined) return { at: first, value: all };
      after = last;
    }
  }

  /** Reads what is new, and notices what was replaced. */
  async function look(): Promise<void> {
    const { text, at } = await progress();
    if (text === seen && point !== undefined) return;
    if (base === undefined) {
      base = endOfBlock(settledBlock(at, confirmations));
    }
    const lastHeld = held.at(-1)?.event;
    // A restarted index writes recent blocks again. Until it has, nothing is void.
    if (lastHeld !== undefined && at.block < lastHeld.block) return;
    const before = point === undefined ? base : laterOf(base, finalAt(point));
    const reading = await eventsAfter(before);
    apply(before, reading);
    seen = text;
    point = reading.at;
    announce();
  }

  const finalAt = (at: IndexedPoint) => endOfBlock(settledBlock(at, confirmations));

  function apply(before: EventPosition, { at, value }: Reading<readonly IndexedEvent[]>): void {
    const final = held.filter(({ event }) => comparePositions(event, before) <= 0);
    const open = held.slice(final.length);
    const differs = open.findIndex(({ event }, index) => !isSameEvent(event, value[index]));
    if (differs !== -1) {
      const gone = open[differs]?.event.block;
      const instead = value[differs]?.block;
      const from = gone === undefined || (instead !== undefined && instead < gone) ? instead : gone;
      if (from !== undefined) replacements = [...replacements, from];
    }
    const same = differs === -1 ? open : open.slice(0, differs);
    const settled = settledBlock(at, confirmations);
    const known = [...final, ...same];
    const added = value.slice(same.length);
    const cursors = cursorsAlong([...known.map(({ event }) => event), ...added], settled);
    const fresh = added.flatMap((event, index) => {
      const cursor = cursors[known.length + index];
      return cursor === undefined ? [] : [{ event, cursor }];
    });
    held = trimmed([...known, ...fresh], settled);
  }

  /** Forgets the oldest of too many final events. */
  function trimmed(all: readonly Held[], settled: bigint): readonly Held[] {
    const surplus = all.length - HELD;
    if (surplus <= 0) return all;
    const dropped = all.slice(0, surplus).filter(({ event }) => event.block <= settled);
    const last = dropped.at(-1)?.event;
    if (last !== undefined) base = last;
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

  function heldAfter(position: EventPosition): readonly Held[] {
    let first = held.length;
    while (first > 0) {
      const one = held[first - 1];
      if (one === undefined || comparePositions(one.event, position) <= 0) break;
      first -= 1;
    }
    return held.slice(first);
  }

  const cursorOf = (position: EventPosition): EventCursor => {
    const settled = point === undefined ? position.block : settledBlock(point, confirmations);
    const known = held
      .map(({ event }) => event)
      .filter((event) => comparePositions(event, position) <= 0);
    return cursorAt(position, settled, unsettled(known, settled));
  };

  async function* messages(
    from: EventCursor | null,
    filter: EventFilter,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedMessage, void, undefined> {
    const isOpen = () => !signal.aborted && !isClosed;
    await started();
    while (base === undefined && isOpen()) {
      // The index or its database is away: what happens next begins when it is back.
      if (!(await changedWithin(idleMs, signal)) && isOpen()) yield { type: "idle" };
    }
    let knownReplacements = replacements.length;
    let position: EventPosition = from ?? held.at(-1)?.event ?? base ?? endOfBlock(0n);

    let unchecked = from;
    while (isOpen()) {
      if (unchecked !== null) {
        if (point === undefined || point.block < unchecked.block) {
          // A restarted index has not come as far again.
          if (!(await changedWithin(idleMs, signal)) && isOpen()) yield { type: "idle" };
          continue;
        }
        const replaced = await replacedFrom(unchecked, point);
        unchecked = null;
        if (replaced !== null) {
          position = endOfBlock(replaced - 1n);
          yield { type: "replaced", fromBlock: replaced, cursor: cursorOf(position) };
        }
      }
      const since = replacements.slice(knownReplacements);
      knownReplacements = replacements.length;
      const fromBlock = since.reduce<bigint | null>(
        (least, block) => (least === null || block < least ? block : least),
        null,
      );
      if (fromBlock !== null && position.block >= fromBlock) {
        position = endOfBlock(fromBlock - 1n);
        yield { type: "replaced", fromBlock, cursor: cursorOf(position) };
        continue;
      }
      const end = base;
      if (end !== undefined && comparePositions(position, end) < 0) {
        // Older than what is held: read from the index, where it is final.
        const { value } = await reads.events({
          ...filter,
          order: "oldest",
          after: position,
          upTo: end,
          limit: PAGE,
        });
        for (const event of value) {
          if (!isOpen()) return;
          yield { type: "event", event, cursor: cursorAt(event, event.block, []) };
        }
        position = value.length < PAGE ? end : (value.at(-1) ?? end);
        continue;
      }
      const next = heldAfter(position);
      if (next.length === 0) {
        if (!(await changedWithin(idleMs, signal)) && isOpen()) yield { type: "idle" };
        continue;
      }
      for (const { event, cursor } of next) {
        if (!isOpen() || replacements.length !== knownReplacements) break;
        position = event;
        if (matches(event, filter)) yield { type: "event", event, cursor };
      }
    }
  }

  return {
    /**
     * What happens from a cursor on, or from now on without one. Ends when `signal` is aborted or
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

function unsettled(events: readonly IndexedEvent[], settled: bigint): readonly IndexedEvent[] {
  return events.filter(({ block }) => block > settled);
}

const laterOf = (a: EventPosition, b: EventPosition) => (comparePositions(a, b) < 0 ? b : a);
