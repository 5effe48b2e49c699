import { afterEach, describe, expect, it, vi } from "vitest";
import { createIndexAge } from "../../../api/soul/index-age.ts";

/** An index age over a chain, an index and a clock that the test moves. */
function measured(chain: { head: bigint | null; indexed: bigint | null; now: number }) {
  const answer = async (block: bigint | null) => {
    if (block === null) throw new Error("no answer");
    return block;
  };
  return createIndexAge({
    chainBlock: () => answer(chain.head),
    progress: async () => ({ block: await answer(chain.indexed), isComplete: true }),
    maxAgeMs: 10_000,
    now: () => chain.now,
  });
}

describe("the age of the index", () => {
  it("is unknown, and counts as too old, before a head was read", () => {
    const age = measured({ head: 5n, indexed: 5n, now: 0 });
    expect(age.isFresh({ block: 5n })).toBe(false);
    expect(age.standing()).toEqual({
      chainBlock: null,
      indexedBlock: null,
      lagBlocks: null,
      behind: true,
      isComplete: false,
    });
  });

  it("allows facts that include the head of the maximum age ago, and no older ones", async () => {
    const chain = { head: 100n, indexed: 100n, now: 0 };
    const age = measured(chain);
    await age.sample();
    chain.now = 9_000;
    chain.head = 109n;
    await age.sample();
    expect(age.isFresh({ block: 100n })).toBe(true);
    expect(age.isFresh({ block: 99n })).toBe(false);
    expect(age.standing()).toEqual({
      chainBlock: 109n,
      indexedBlock: 100n,
      lagBlocks: 9,
      behind: false,
      isComplete: true,
    });

    chain.now = 10_001;
    expect(age.isFresh({ block: 108n })).toBe(false);
    expect(age.isFresh({ block: 109n })).toBe(true);
    expect(age.standing()).toMatchObject({ lagBlocks: 9, behind: true });
  });

  it("does not grow on a chain that stands still", async () => {
    const chain = { head: 7n, indexed: 7n, now: 0 };
    const age = measured(chain);
    await age.sample();
    chain.now = 3_600_000;
    await age.sample();
    expect(age.isFresh({ block: 7n })).toBe(true);
  });

  it("is too old once the node has not answered for the maximum age", async () => {
    const chain: { head: bigint | null; indexed: bigint; now: number } = {
      head: 7n,
      indexed: 7n,
      now: 0,
    };
    const age = measured(chain);
    await age.sample();
    chain.head = null;
    chain.now = 10_000;
    await age.sample();
    expect(age.isFresh({ block: 7n })).toBe(true);
    chain.now = 10_001;
    expect(age.isFresh({ block: 7n })).toBe(false);
    expect(age.standing()).toEqual({
      chainBlock: null,
      indexedBlock: 7n,
      lagBlocks: null,
      behind: true,
      isComplete: true,
    });
  });

  it("keeps the last known block while the index cannot be read", async () => {
    const chain: { head: bigint; indexed: bigint | null; now: number } = {
      head: 7n,
      indexed: 7n,
      now: 0,
    };
    const age = measured(chain);
    await age.sample();
    chain.indexed = null;
    chain.head = 8n;
    await age.sample();
    expect(age.standing()).toMatchObject({ chainBlock: 8n, indexedBlock: 7n, lagBlocks: 1 });
  });

  it("names both blocks in its error", async () => {
    const age = measured({ head: 9n, indexed: 7n, now: 0 });
    await age.sample();
    const error = age.behind({ block: 7n });
    expect(error).toMatchObject({ type: "INDEX_BEHIND", status: 503, retryAfter: 2 });
    expect(error.details).toEqual({ indexedBlock: 7n, chainBlock: 9n });
  });
});

describe("sampling", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is done five times a second while the index is behind, and once a second after that", async () => {
    vi.useFakeTimers();
    const chain: { head: bigint; indexed: bigint | null; now: number } = {
      head: 7n,
      indexed: null,
      now: 0,
    };
    const age = measured(chain);
    age.start();
    try {
      await vi.advanceTimersByTimeAsync(150);
      chain.indexed = 7n;
      expect(age.standing().behind).toBe(true);
      await vi.advanceTimersByTimeAsync(50);
      expect(age.standing().behind).toBe(false);

      chain.head = 8n;
      await vi.advanceTimersByTimeAsync(999);
      expect(age.standing().chainBlock).toBe(7n);
      await vi.advanceTimersByTimeAsync(1);
      expect(age.standing().chainBlock).toBe(8n);
    } finally {
      age.stop();
    }
  });
});

describe("the head for a block", () => {
  it("is the sampled one when that has reached the block, else a new one", async () => {
    const chain: { head: bigint | null; indexed: bigint; now: number } = {
      head: 10n,
      indexed: 10n,
      now: 0,
    };
    const age = measured(chain);
    await age.sample();
    chain.head = 12n;
    expect(await age.headFor(10n)).toBe(10n);
    expect(await age.headFor(11n)).toBe(12n);
    chain.head = null;
    expect(await age.headFor(13n)).toBeNull();
  });
});
