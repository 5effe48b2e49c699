import { describe, expect, it } from "vitest";
import { IndexLag } from "../../scripts/soak/index-lag.ts";
import { growth, settledGrowth } from "../../scripts/soak/memory.ts";

describe("the lag that the soak measures", () => {
  it("is the age of the oldest block that the index lacks", () => {
    const lag = new IndexLag();
    expect(lag.sample(10, 10, 0)).toBe(0);
    expect(lag.sample(11, 10, 100)).toBe(0);
    expect(lag.sample(12, 10, 600)).toBe(500);
    expect(lag.sample(12, 11, 700)).toBe(100);
    expect(lag.sample(12, 12, 800)).toBe(0);
  });

  it("grows while the index stands still, however many blocks follow", () => {
    const lag = new IndexLag();
    lag.sample(10, 10, 0);
    expect([1, 2, 3, 4].map((i) => lag.sample(10 + i, 10, i * 1_000))).toEqual([
      0, 1_000, 2_000, 3_000,
    ]);
  });
});

describe("the growth of memory that the soak measures", () => {
  it("is the slope in megabytes a minute, despite noise", () => {
    const samples = [0, 1, 2, 3].map((minute) => ({
      minute,
      megabytes: 100 + 2 * minute + (minute === 1 || minute === 2 ? 5 : 0),
    }));
    expect(growth(samples)).toBeCloseTo(2);
  });

  it("is 0 for one sample and for memory that does not change", () => {
    expect(growth([{ minute: 1, megabytes: 50 }])).toBe(0);
    expect(growth([1, 2, 3].map((minute) => ({ minute, megabytes: 50 })))).toBe(0);
  });

  it("is judged from minute five on, however steep the start was", () => {
    const samples = Array.from({ length: 11 }, (_, minute) => ({
      minute,
      megabytes: minute < 5 ? 100 + 20 * minute : 200 + minute / 2,
    }));
    expect(settledGrowth(samples)).toBeCloseTo(0.5);
  });

  it("is not judged before there are enough minutes after the first five", () => {
    const samples = Array.from({ length: 10 }, (_, minute) => ({ minute, megabytes: minute }));
    expect(settledGrowth(samples)).toBeUndefined();
  });
});
