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
  replacedFrom,
  settledBlock,
} from "./events.ts";

/** What a subscriber is sent. */
export type FollowedMessage =
  | { readonly type: "event"; readonly event: IndexedEvent; readonly cursor: EventCursor }
  /** Blocks that the cursor stood on were replaced: what a list had of them is void, and what holds follows. */
  | { readonly type: "replaced"; readonly fromBlock: bigint; readonly cursor: EventCursor }
  /** Nothing has happened for a while. */
  | { readonly type: "idle" };

interface Following {
  readonly reads: EventReads;
  /** How far the index is, as text that changes with every block. Cheap. */
  readonly progress: () => Promise<{ readonly text: string; readonly at: IndexedPoint }>;
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
export function createIndexFollower(following: Following) {
  const bell = createBell();
  const view = createView(following, bell.ring);
  let subscribers = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    await view.look();
    if (subscribers === 0 || isClosed) {
      timer = undefined;
      return;
    }
    timer = setTimeout(run, following.pollMs);
    timer.unref();
  }

  let starting: Promise<void> | undefined;
  /** Resolves once the follower has looked; it knows where it is unless that failed. */
  async function started(): Promise<void> {
    if (timer === undefined) {
      // Nothing was followed while there was no subscriber.
      if (starting === undefined) view.forget();
      starting ??= run().finally(() => {
        starting = undefined;
      });
      await starting;
    } else {
      // What it knows is as old as its last look.
      await view.look();
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
      const isOpen = () => !signal.aborted && !isClosed;
      const isQuiet = async () => !(await bell.rungWithin(following.idleMs, signal)) && isOpen();
      subscribers += 1;
      try {
        await started();
        yield* messages(following.reads, view, from, filter, { isOpen, isQuiet });
      } finally {
        subscribers -= 1;
      }
    },

    /** Ends every subscription. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      bell.ring();
    },
  };
}

/** Wakes any number of waiting subscribers. */
function createBell() {
  let wake: () => void = () => {};
  let rung = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return {
    ring(): void {
      const wakeAll = wake;
      rung = new Promise((resolve) => {
        wake = resolve;
      });
      wakeAll();
    },

    /** Whether it rings in that time, and before `signal` is aborted. */
    async rungWithin(ms: number, signal: AbortSignal): Promise<boolean> {
      let bound: NodeJS.Timeout | undefined;
      let abort = () => {};
      const late = new Promise<boolean>((resolve) => {
        bound = setTimeout(() => resolve(false), ms);
        abort = () => resolve(false);
        signal.addEventListener("abort", abort, { once: true });
      });
      try {
        return await Promise.race([rung.then(() => true), late]);
      } finally {
        clearTimeout(bound);
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

type View = ReturnType<typeof createView>;

/** What is known of the index: how far it is, and its latest final events. */
function createView({ reads, progress, confirmations, failed }: Following, announce: () => void) {
  const nothing = {
    /** Every event after `base` up to the last final block, oldest first. */
    held: [] as readonly IndexedEvent[],
    base: undefined as EventPosition | undefined,
    settled: 0n,
    point: undefined as IndexedPoint | undefined,
    seen: "",
  };
  let known = nothing;

  /** Reads what became final. */
  async function read(): Promise<void> {
    const { text, at } = await progress();
    if (text === known.seen) return;
    const final = settledBlock(at, confirmations);
    if (known.base === undefined) {
      known = { ...known, base: endOfBlock(final), settled: final };
    } else if (final > known.settled) {
      const reading = await eventsAfter(reads, endOfBlock(known.settled), endOfBlock(final));
      // A restarted index writes recent blocks again, and may have begun between the two reads.
      const certain = settledBlock(reading.at, confirmations);
      if (certain < final) return;
      const all = [...known.held, ...reading.value];
      // Forgets the oldest of too many events.
      const dropped = all.slice(0, Math.max(0, all.length - HELD));
      const base = dropped.at(-1) ?? known.base;
      known = { ...known, held: all.slice(dropped.length), base, settled: final };
    }
    known = { ...known, seen: text, point: at };
    announce();
  }

  let looking: Promise<void> | undefined;
  return {
    now: () => known,

    /** One look for all that ask at the same time. Never rejects. */
    look(): Promise<void> {
      looking ??= read()
        .catch(failed)
        .finally(() => {
          looking = undefined;
        });
      return looking;
    },

    forget(): void {
      known = nothing;
    },
  };
}

/** All events after a position, and the earliest point of the index that they were read at. */
async function eventsAfter(
  reads: EventReads,
  position: EventPosition,
  upTo: EventPosition,
): Promise<Reading<readonly IndexedEvent[]>> {
  const all: IndexedEvent[] = [];
  let after = position;
  let earliest: IndexedPoint | undefined;
  for (;;) {
    const query = { ...ALL, order: "oldest", after, upTo, limit: PAGE } as const;
    const { at, value } = await reads.events(query);
    if (earliest === undefined || at.block < earliest.block) earliest = at;
    all.push(...value);
    const last = value.at(-1);
    if (value.length < PAGE || last === undefined) return { at: earliest, value: all };
    after = last;
  }
}

function heldAfter(held: readonly IndexedEvent[], position: EventPosition) {
  const last = held.findLastIndex((one) => comparePositions(one, position) <= 0);
  return held.slice(last + 1);
}

/**
 * What one subscriber is sent.
 *
 * @param subscription `isQuiet` waits until something may have changed, or an open one is to be sent `idle`.
 */
async function* messages(
  reads: EventReads,
  view: View,
  from: EventCursor | null,
  filter: EventFilter,
  { isOpen, isQuiet }: { isOpen(): boolean; isQuiet(): Promise<boolean> },
): AsyncGenerator<FollowedMessage, void, undefined> {
  // The index or its database may be away, and what a cursor stands on may not be final yet.
  const isReady = () => {
    const { point, settled } = view.now();
    if (point === undefined) return false;
    return (
      from === null || from.digest === "" || (from.block <= settled && from.block <= point.block)
    );
  };
  while (!isReady() && isOpen()) if (await isQuiet()) yield { type: "idle" };
  const { point, settled } = view.now();
  let position: EventPosition = from ?? endOfBlock(settled);
  if (from !== null && point !== undefined && isOpen()) {
    const replaced = await replacedFrom(reads, from, point);
    if (replaced !== null) {
      position = endOfBlock(replaced - 1n);
      yield { type: "replaced", fromBlock: replaced, cursor: finalCursor(position) };
    }
  }
  while (isOpen()) {
    const { base: end, held } = view.now();
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
    const next = heldAfter(held, position);
    if (next.length === 0) {
      if (await isQuiet()) yield { type: "idle" };
      continue;
    }
    for (const event of next) {
      if (!isOpen()) return;
      position = event;
      if (matches(event, filter)) yield { type: "event", event, cursor: finalCursor(event) };
    }
  }
}

const ALL: EventFilter = { agent: null, kind: null };

const finalCursor = (position: EventPosition) => cursorAt(position, position.block, []);
