import { describe, expect, it } from "vitest";
import { searchBlocks } from "../../protocol/index.ts";

class Refused extends Error {}

/** Searches for `wanted` on a node that takes `limit` blocks at once. */
async function search(wanted: bigint | null, limit: bigint, maxRequests?: number) {
  const asked: [bigint, bigint][] = [];
  const found = await searchBlocks({
    firstBlock: 10n,
    lastBlock: 109n,
    maxRequests,
    isRefused: (error) => error instanceof Refused,
    async inRange(from, to) {
      asked.push([from, to]);
      if (to - from + 1n > limit) throw new Refused();
      return wanted !== null && from <= wanted && wanted <= to ? wanted : null;
    },
  });
  return { found, asked };
}

describe("a search of blocks", () => {
  it("asks once for all blocks when the node takes them", async () => {
    expect(await search(42n, 100n)).toEqual({ found: 42n, asked: [[10n, 109n]] });
  });

  it("halves a refused range, and goes on with what the node takes, the newest first", async () => {
    expect(await search(42n, 30n)).toEqual({
      found: 42n,
      asked: [
        [10n, 109n],
        [60n, 109n],
        [85n, 109n],
        [60n, 84n],
        [35n, 59n],
      ],
    });
  });

  it.each([10n, 11n, 108n, 109n])("finds block %s one block at a time", async (wanted) => {
    expect((await search(wanted, 1n)).found).toBe(wanted);
  });

  it("returns null when no block has it, or after the most requests", async () => {
    expect((await search(null, 30n)).found).toBeNull();
    const { found, asked } = await search(10n, 1n, 20);
    expect([found, asked.length]).toEqual([null, 20]);
  });

  it("throws a refusal of a single block, and any other error at once", async () => {
    await expect(search(42n, 0n)).rejects.toThrow(Refused);
    const broken = searchBlocks({
      firstBlock: 1n,
      lastBlock: 9n,
      isRefused: () => false,
      inRange: () => Promise.reject(new Error("No answer.")),
    });
    await expect(broken).rejects.toThrow("No answer.");
  });
});
