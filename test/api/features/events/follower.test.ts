import { afterEach, describe, expect, it, vi } from "vitest";
import {
  comparePositions,
  createEventService,
  type EventCursor,
  type EventReads,
  endOfBlock,
  type IndexedEvent,
  matches,
} from "../../../../api/features/events/events.ts";
import {
  createIndexFollower,
  type FollowedMessage,
  type IndexFollower,
} from "../../../../api/features/events/follower.ts";

/** A busy machine may take longer than the second that vitest waits. */
const SOON = { timeout: 30_000 };

// One follower and its subscribers, over an index that grows, falls behind and is replaced.

const EVERYTHING = { agent: null, kind: null };

/** An event of a chain that `fork` names. */
function event(
  block: number,
  logIndex = 0,
  fork = "a",
  kind: IndexedEvent["kind"] = "soul.burned",
) {
  return {
    kind,
    block: BigInt(block),
    logIndex,
    part: 0n,
    timestamp: BigInt(block),
    tx: `0x${fork}${block}${logIndex}`,
    agent: null,
    other: null,
    passportId: null,
    organizationId: null,
    epoch: null,
    details: {},
  } as unknown as IndexedEvent;
}

/** An index in memory, which counts how often it is read. */
function indexOf(head: number, ...events: IndexedEvent[]) {
  const index = { head: BigInt(head), events, fork: "a", reads: 0, looks: 0 };
  const at = () => ({ block: index.head, timestamp: index.head });
  const reads: EventReads = {
    async events({ order, after, upTo, limit, ...filter }) {
      index.reads += 1;
      const isNewest = order === "newest";
      const found = index.events
        .filter((one) => one.block <= index.head && matches(one, filter))
        .filter((one) => upTo === null || isNewest || comparePositions(one, upTo) <= 0)
        .filter((one) => {
          if (after === null) return true;
          return isNewest ? comparePositions(one, after) < 0 : comparePositions(one, after) > 0;
        })
        .sort((a, b) => (isNewest ? comparePositions(b, a) : comparePositions(a, b)));
      return { at: at(), value: found.slice(0, limit) };
    },
  };
  const progress = async () => {
    index.looks += 1;
    return { text: `${index.head} ${index.fork}`, at: at() };
  };
  return { index, reads, progress };
}

let follower: IndexFollower | undefined;
afterEach(() => {
  follower?.close();
  follower = undefined;
});

function follow(over: ReturnType<typeof indexOf>, confirmations = 1) {
  const { reads, progress } = over;
  const service = createEventService({ reads, confirmations, lifeOf: async () => null });
  const made = createIndexFollower({
    reads,
    progress,
    confirmations,
    pollMs: 1,
    idleMs: 20,
    failed: (error) => {
      if (!/is away/.test(String(error))) throw error;
    },
  });
  follower = made;
  return { service, follower: made };
}

/** Takes messages of a subscription until `count` of them are no `idle`. */
async function take(
  messages: AsyncGenerator<FollowedMessage, void, undefined>,
  count: number,
): Promise<FollowedMessage[]> {
  const taken: FollowedMessage[] = [];
  while (taken.length < count) {
    const { done, value } = await messages.next();
    if (done === true) break;
    if (value.type !== "idle") taken.push(value);
  }
  return taken;
}

const sentOf = (messages: readonly FollowedMessage[]) =>
  messages.map((message) =>
    message.type === "event"
      ? message.event.tx
      : message.type === "replaced"
        ? `from ${message.fromBlock}`
        : "idle",
  );
const lastCursor = (messages: readonly FollowedMessage[]): EventCursor => {
  const last = messages.at(-1);
  if (last === undefined || last.type === "idle") throw new Error("Nothing has a cursor.");
  return last.cursor;
};

describe("a subscriber", () => {
  it("is sent what happens from now on, and everyone's events cost one read", async () => {
    const over = indexOf(5, event(3));
    const { follower: one } = follow(over);
    const signal = new AbortController().signal;
    const subscribers = Array.from({ length: 50 }, () => one.follow(null, EVERYTHING, signal));
    const taken = subscribers.map((messages) => take(messages, 2));
    await vi.waitFor(() => expect(over.index.looks).toBeGreaterThan(0), SOON);
    const before = over.index.reads;
    over.index.events.push(event(6), event(6, 1));
    over.index.head = 6n;
    for (const messages of await Promise.all(taken))
      expect(sentOf(messages)).toEqual(["0xa60", "0xa61"]);
    expect(over.index.reads - before).toBe(1);
  });

  it("that comes back misses nothing and gets nothing twice, however long it was away", async () => {
    const over = indexOf(3, event(2), event(3));
    const { follower: one } = follow(over);
    const first = one.follow(endCursor(0), EVERYTHING, new AbortController().signal);
    const seen = await take(first, 2);
    await first.return();
    for (let block = 4; block <= 600; block += 1) over.index.events.push(event(block));
    over.index.head = 600n;
    const again = one.follow(lastCursor(seen), EVERYTHING, new AbortController().signal);
    const rest = await take(again, 597);
    expect(sentOf([...seen, ...rest])).toEqual(over.index.events.map(({ tx }) => tx));
    over.index.events.push(event(601));
    over.index.head = 601n;
    expect(sentOf(await take(again, 1))).toEqual(["0xa6010"]);
  });

  it("is sent a burst that is larger than what is held, once and in order", async () => {
    const over = indexOf(9);
    const { follower: one, service } = follow(over);
    const messages = one.follow(endCursor(5), EVERYTHING, new AbortController().signal);
    const taken = take(messages, 2_500);
    await vi.waitFor(() => expect(over.index.looks).toBeGreaterThan(0), SOON);
    for (let log = 0; log < 2_500; log += 1) over.index.events.push(event(10, log));
    over.index.head = 10n;
    const seen = await taken;
    expect(sentOf(seen)).toEqual(over.index.events.map(({ tx }) => tx));
    const { value } = await service.newer(EVERYTHING, {
      after: lastCursor(seen.slice(0, 2_001)),
      limit: 5_000,
    });
    expect([value.replacedFrom, value.events.length]).toEqual([null, 499]);
  });

  it("of one kind is sent that kind alone, from the past and live", async () => {
    const over = indexOf(3, event(1), event(2, 0, "a", "soul.sealed"), event(3));
    const { follower: one } = follow(over);
    const filter = { agent: null, kind: "soul.sealed" as const };
    const messages = one.follow(endCursor(0), filter, new AbortController().signal);
    expect(sentOf(await take(messages, 1))).toEqual(["0xa20"]);
    over.index.events.push(event(4), event(5, 0, "a", "soul.sealed"));
    over.index.head = 5n;
    expect(sentOf(await take(messages, 1))).toEqual(["0xa50"]);
  });

  it("without events is sent `idle`", async () => {
    const { follower: one } = follow(indexOf(3, event(1)));
    const messages = one.follow(null, EVERYTHING, new AbortController().signal);
    expect((await messages.next()).value).toEqual({ type: "idle" });
  });

  it("is sent `idle` while the index is away, and what happens once it is back", async () => {
    const over = indexOf(3, event(1));
    let isAway = true;
    const progress = async () => {
      if (isAway) throw new Error("The index is away.");
      return over.progress();
    };
    const { follower: one } = follow({ ...over, progress });
    const leaving = new AbortController();
    const left = one.follow(null, EVERYTHING, leaving.signal);
    const messages = one.follow(null, EVERYTHING, new AbortController().signal);
    expect((await messages.next()).value).toEqual({ type: "idle" });
    leaving.abort();
    expect(await left.next()).toEqual({ done: true, value: undefined });
    isAway = false;
    const next = take(messages, 1);
    await vi.waitFor(() => expect(over.index.looks).toBeGreaterThan(0), SOON);
    over.index.events.push(event(4));
    over.index.head = 4n;
    expect(sentOf(await next)).toEqual(["0xa40"]);
  });

  it("ends when it leaves, and when the follower closes", async () => {
    const { follower: one } = follow(indexOf(3));
    const leaving = new AbortController();
    const left = one.follow(null, EVERYTHING, leaving.signal).next();
    const stays = one.follow(null, EVERYTHING, new AbortController().signal);
    leaving.abort();
    expect(await left).toEqual({ done: true, value: undefined });
    one.close();
    expect(await take(stays, 1)).toEqual([]);
  });
});

describe("when the chain replaces blocks", () => {
  it("a subscriber is sent only what is final, and so nothing that is taken back", async () => {
    const over = indexOf(10, event(6), event(7), event(9), event(10));
    const { follower: one } = follow(over, 5);
    const messages = one.follow(endCursor(5), EVERYTHING, new AbortController().signal);
    const seen = await take(messages, 1);
    expect((await messages.next()).value).toEqual({ type: "idle" });
    over.index.events.splice(1, 2, event(8, 0, "b"));
    over.index.head = 12n;
    seen.push(...(await take(messages, 1)));
    expect((await messages.next()).value).toEqual({ type: "idle" });
    over.index.head = 14n;
    seen.push(...(await take(messages, 1)));
    expect(sentOf(seen)).toEqual(["0xa60", "0xb80", "0xa100"]);
    expect(lastCursor(seen)).toEqual({
      block: 10n,
      logIndex: 0,
      part: 0n,
      settled: 10n,
      digest: "",
    });
  });

  it("a client with a list that was not final is notified once it is", async () => {
    const over = indexOf(10, event(5), event(8), event(9));
    const { follower: one, service } = follow(over, 5);
    const list = await service.older(EVERYTHING, { before: null, limit: 10 });
    const after = list.value.newer;
    const messages = one.follow(after, EVERYTHING, new AbortController().signal);
    expect((await messages.next()).value).toEqual({ type: "idle" });
    // The position alone does not show it: the last event is still there.
    over.index.events[1] = event(8, 0, "b");
    over.index.head = 13n;
    over.index.fork = "b";
    expect(sentOf(await take(messages, 3))).toEqual(["from 7", "0xb80", "0xa90"]);
    const page = await service.newer(EVERYTHING, { after, limit: 10 });
    expect(page.value.replacedFrom).toBe(7n);
    expect(page.value.events.map(({ tx }) => tx)).toEqual(["0xb80", "0xa90"]);
  });

  it("a client whose list was confirmed is sent only what came later", async () => {
    const over = indexOf(10, event(8), event(9));
    const { follower: one, service } = follow(over, 5);
    const list = await service.older(EVERYTHING, { before: null, limit: 10 });
    const messages = one.follow(list.value.newer, EVERYTHING, new AbortController().signal);
    over.index.events.push(event(11));
    over.index.head = 15n;
    expect(sentOf(await take(messages, 1))).toEqual(["0xa110"]);
  });

  it("a cursor of final blocks stays right", async () => {
    const over = indexOf(30, event(5), event(8));
    const { service } = follow(over, 5);
    const { value } = await service.older(EVERYTHING, { before: null, limit: 1 });
    expect(value.newer).toEqual({ block: 8n, logIndex: 0, part: 0n, settled: 8n, digest: "" });
    over.index.events.push(event(31));
    over.index.head = 31n;
    const page = await service.newer(EVERYTHING, { after: value.newer, limit: 10 });
    expect([page.value.replacedFrom, page.value.events.map(({ tx }) => tx)]).toEqual([
      null,
      ["0xa310"],
    ]);
  });

  it("an index that begins its last blocks again is waited for", async () => {
    const over = indexOf(10, event(6), event(9));
    const { follower: one, service } = follow(over, 5);
    const list = await service.older(EVERYTHING, { before: null, limit: 10 });
    const messages = one.follow(endCursor(5), EVERYTHING, new AbortController().signal);
    expect(sentOf(await take(messages, 1))).toEqual(["0xa60"]);
    over.index.head = 7n;
    const page = await service.newer(EVERYTHING, { after: list.value.newer, limit: 10 });
    expect([page.value.events, page.value.replacedFrom, page.value.newer]).toEqual([
      [],
      null,
      list.value.newer,
    ]);
    expect((await messages.next()).value).toEqual({ type: "idle" });
    over.index.events.push(event(11));
    over.index.head = 15n;
    expect(sentOf(await take(messages, 2))).toEqual(["0xa90", "0xa110"]);
  });
});

/** The cursor at the end of a final block. */
const endCursor = (block: number): EventCursor => ({
  ...endOfBlock(BigInt(block)),
  settled: BigInt(block),
  digest: "",
});
