import { beforeEach, describe, expect, it } from "vitest";
import { createNodeRanking, type NodeRanking, retryAfterMs } from "../../protocol/node-ranking.ts";

let time: number;
let ranking: NodeRanking;
beforeEach(() => {
  time = 0;
  ranking = createNodeRanking(3, () => time);
});

const probe = (head: bigint, ms = 20) => ({ head, ms });
const [wellA, wellB, wellC] = [probe(100n), probe(100n), probe(100n)];

describe("the order of nodes", () => {
  it("is that of preference while nothing is known, and between equals", () => {
    expect(ranking.order()).toEqual([0, 1, 2]);
    ranking.compared([wellA, probe(101n), probe(102n)]);
    expect(ranking.order()).toEqual([0, 1, 2]);
  });

  it("has a node behind more than two blocks last, until it is not", () => {
    ranking.compared([probe(97n), wellB, wellC]);
    expect(ranking.order()).toEqual([1, 2, 0]);
    expect(ranking.standing(0).blocksBehind).toBe(3);
    ranking.compared([probe(98n), wellB, wellC]);
    expect(ranking.order()).toEqual([0, 1, 2]);
  });

  it("has a node last that is four times slower and 250 ms more", () => {
    ranking.compared([probe(100n, 330), wellB, wellC]);
    expect(ranking.order()).toEqual([0, 1, 2]);
    for (let round = 0; round < 10; round += 1) {
      ranking.compared([probe(100n, 400), wellB, wellC]);
    }
    expect(ranking.order()).toEqual([1, 2, 0]);
  });

  it("has a node last after three failures in a row, until it answers", () => {
    for (let count = 0; count < 2; count += 1) ranking.failed(0);
    expect(ranking.order()).toEqual([0, 1, 2]);
    ranking.failed(0);
    expect(ranking.order()).toEqual([1, 2, 0]);
    ranking.compared([wellA, wellB, wellC]);
    expect(ranking.order()).toEqual([0, 1, 2]);
  });

  it("counts a missing answer to a comparison as a failure, but not during a pause", () => {
    ranking.limited(1, 20_000);
    for (let count = 0; count < 3; count += 1) ranking.compared([null, null, wellC]);
    expect([0, 1].map((node) => ranking.standing(node).failureShare > 0.5)).toEqual([true, false]);
  });

  it("weighs a pause more than an old head, and that more than failures", () => {
    ranking.compared([wellA, probe(90n), wellC]);
    for (let count = 0; count < 3; count += 1) ranking.failed(2);
    ranking.limited(0);
    expect(ranking.order()).toEqual([2, 1, 0]);
    expect(ranking.order((node) => node === 2)).toEqual([1, 0, 2]);
  });

  it("has pauses that double, last as long as asked for, and at most half a minute", () => {
    const pauses: number[] = [];
    for (const asked of [undefined, undefined, 7_000, 3_600_000]) {
      ranking.limited(0, asked);
      // The answer to a request that was sent at the same time.
      ranking.limited(0);
      pauses.push(ranking.standing(0).restsForMs);
      time += 60_000;
    }
    expect(pauses).toEqual([500, 1_000, 7_000, 30_000]);
    ranking.answered(0);
    ranking.limited(0);
    expect(ranking.standing(0).restsForMs).toBe(500);
  });
});

describe("a Retry-After header", () => {
  const now = Date.parse("2027-01-02T03:04:05Z");
  it.each([
    ["7", 7_000],
    [" 0 ", 0],
    ["Sat, 02 Jan 2027 03:04:15 GMT", 10_000],
    ["Sat, 02 Jan 2027 03:04:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("of %o is a pause of %o ms", (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});
