import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bounded } from "../../../api/kernel/bounded.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const tooLate = () => new Error("too late");
const silent = () => new Promise<never>(() => {});

describe("bounded work", () => {
  it("gives its result and leaves no timer behind", async () => {
    expect(await bounded(1_000, async () => "result", tooLate)).toBe("result");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fails with its own error, and leaves no timer behind", async () => {
    const work = bounded(1_000, () => Promise.reject(new Error("broken")), tooLate);
    await expect(work).rejects.toThrow(new Error("broken"));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fails with the error for late work once the time has passed, and not before", async () => {
    const work = bounded(1_000, silent, tooLate);
    let isOver = false;
    const ended = work.catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toEqual(new Error("too late"));
  });
});
