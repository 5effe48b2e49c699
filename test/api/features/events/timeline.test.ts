import { describe, expect, it } from "vitest";
import type { RecordedChronicle } from "../../../../api/features/chronicles/index.ts";
import {
  comparePositions,
  type EventReads,
  type IndexedEvent,
} from "../../../../api/features/events/events.ts";
import { createTimeline, type TimelinePosition } from "../../../../api/features/events/timeline.ts";

// Two lists with cursors of their own, merged by time.

const event = (block: number, epoch = 1, logIndex = 0) =>
  ({
    kind: "soul.sealed",
    agent: { tokenId: 7n, name: "aurora" },
    block: BigInt(block),
    logIndex,
    part: 0n,
    timestamp: BigInt(block),
    epoch,
  }) as IndexedEvent;
const chronicle = (id: number, seconds: number, epoch = 1) =>
  ({ chronicleId: BigInt(id), recordedAt: new Date(seconds * 1000), epoch }) as RecordedChronicle;

function timelineOf(events: IndexedEvent[], chronicles: RecordedChronicle[]) {
  const reads: EventReads = {
    async events({ after, limit }) {
      const value = events
        .filter((one) => after === null || comparePositions(one, after) < 0)
        .toSorted((a, b) => comparePositions(b, a))
        .slice(0, limit);
      return { at: { block: 100n, timestamp: 100n }, value };
    },
  };
  return createTimeline({
    reads,
    lifeOf: async (tokenId) =>
      tokenId === 7n ? { tokenId, passportId: 0n, firstBlock: 1n, lastBlock: null } : null,
    epochs: async () => [
      { epoch: 2, owner: "owner 2", startedAt: 30n, endedAt: null },
      { epoch: 1, owner: "owner 1", startedAt: 0n, endedAt: 30n },
    ],
    chronicles: {
      async list(_tokenId, _filter, { limit, after }) {
        const found = chronicles
          .filter(({ chronicleId }) => after === undefined || chronicleId < after.chronicleId)
          .toSorted((a, b) => Number(b.chronicleId - a.chronicleId));
        return { chronicles: found.slice(0, limit) };
      },
    },
  });
}

async function pageOf(
  timeline: ReturnType<typeof timelineOf>,
  before: TimelinePosition | null,
  limit: number,
) {
  const page = await timeline.page(7n, { before, limit });
  if (page === null) throw new Error("There is no such agent.");
  const entries = page.bands.flatMap(({ epoch, span, entries: all }) =>
    all.map((entry) =>
      entry.type === "event"
        ? `${epoch} ${span?.owner}: event ${entry.event.block}`
        : `${epoch} ${span?.owner}: record ${entry.chronicle.chronicleId}`,
    ),
  );
  return { entries, older: page.older };
}

describe("a timeline", () => {
  const events = [event(10), event(20), event(30, 2), event(40, 2)];
  const chronicles = [chronicle(1, 15), chronicle(2, 25), chronicle(3, 35, 2), chronicle(4, 45, 2)];
  const all = [
    "2 owner 2: record 4",
    "2 owner 2: event 40",
    "2 owner 2: record 3",
    "2 owner 2: event 30",
    "1 owner 1: record 2",
    "1 owner 1: event 20",
    "1 owner 1: record 1",
    "1 owner 1: event 10",
  ];

  it("merges events and records by time, and groups them by epochs", async () => {
    const page = await pageOf(timelineOf(events, chronicles), null, 20);
    expect(page).toEqual({ entries: all, older: null });
  });

  it.each([1, 2, 3, 5, 8])(
    "has each entry once in pages of %i, while entries are added",
    async (limit) => {
      const [grownEvents, grownChronicles] = [[...events], [...chronicles]];
      const timeline = timelineOf(grownEvents, grownChronicles);
      const seen: string[] = [];
      let before: TimelinePosition | null = null;
      do {
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(timeline, before, limit);
        seen.push(...page.entries);
        before = page.older;
        grownEvents.push(event(50 + grownEvents.length, 2));
        grownChronicles.push(chronicle(grownChronicles.length + 1, 50 + grownChronicles.length, 2));
      } while (before !== null);
      expect(seen).toEqual(all);
    },
  );

  it("shows no record before its epoch began, when the clocks differ", async () => {
    const page = await pageOf(timelineOf([event(10), event(30, 2)], [chronicle(1, 5, 2)]), null, 5);
    expect(page.entries).toEqual([
      "2 owner 2: record 1",
      "2 owner 2: event 30",
      "1 owner 1: event 10",
    ]);
  });

  it("shows no record after its epoch ended, when the clocks differ", async () => {
    const events = [event(10), event(30, 2), event(40, 2)];
    const page = await pageOf(timelineOf(events, [chronicle(1, 35)]), null, 5);
    expect(page.entries).toEqual([
      "2 owner 2: event 40",
      "2 owner 2: event 30",
      "1 owner 1: record 1",
      "1 owner 1: event 10",
    ]);
  });

  it("puts what another agent did into the epoch of its own", async () => {
    const inbound = { ...event(35, 9), agent: { tokenId: 8n, name: "heron" } };
    const page = await pageOf(timelineOf([inbound, event(20)], []), null, 5);
    expect(page.entries).toEqual(["2 owner 2: event 35", "1 owner 1: event 20"]);
  });

  it("of only one of the two kinds ends too", async () => {
    const records = await pageOf(timelineOf([], chronicles), null, 4);
    expect([records.entries.length, records.older]).toEqual([4, null]);
    const happened = await pageOf(timelineOf(events, []), null, 4);
    expect([happened.entries.length, happened.older]).toEqual([4, null]);
  });

  it("does not exist for an agent without a soul", async () => {
    expect(await timelineOf(events, chronicles).page(8n, { before: null, limit: 5 })).toBeNull();
  });
});
