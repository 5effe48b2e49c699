import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { inBatches, readInBatches } from "../../../api/kernel/batches.ts";

/** A batch function whose batches are answered when the test says so. */
function controlled() {
  const batches: { items: readonly number[]; answer: () => void; fail: (error: Error) => void }[] =
    [];
  const run = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push({
        items,
        answer: () => resolve(items.map((item) => item * 10)),
        fail: reject,
      });
    });
  return { batches, run, items: () => batches.map((batch) => batch.items) };
}

describe("calls in batches", () => {
  it("leave at once while none is on its way, those of one turn together", async () => {
    const { batches, run, items } = controlled();
    const call = inBatches(run);
    const answers = Promise.all([call(1), call(2)]);
    await turn();
    expect(items()).toEqual([[1, 2]]);
    batches[0]?.answer();
    expect(await answers).toEqual([10, 20]);
  });

  it("leave with those of requests that arrive in the same turn of the event loop", async () => {
    const { batches, run, items } = controlled();
    const call = inBatches(run);
    const first = call(1);
    const callback = promisify(process.nextTick);
    await callback();
    await callback();
    const second = call(2);
    await turn();
    expect(items()).toEqual([[1, 2]]);
    batches[0]?.answer();
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });

  it("gather while a batch is on its way, and never join it", async () => {
    const { batches, run, items } = controlled();
    const call = inBatches(run);
    const first = call(1);
    await turn();
    const second = call(1);
    const third = call(3);
    batches[0]?.answer();
    expect(await first).toBe(10);
    await turn();
    expect(items()).toEqual([[1], [1, 3]]);
    batches[1]?.answer();
    expect(await Promise.all([second, third])).toEqual([10, 30]);
  });

  it("leave before a slow batch is answered", async () => {
    const { batches, run, items } = controlled();
    const call = inBatches(run);
    const slow = call(1);
    await turn();
    const next = call(2);
    while (batches.length < 2) await turn();
    batches[1]?.answer();
    expect(await next).toBe(20);
    expect(items()).toEqual([[1], [2]]);
    batches[0]?.answer();
    await slow;
  });

  it("are at most 64 in one batch", async () => {
    const { batches, run } = controlled();
    const call = inBatches(run);
    const answers = Promise.all(Array.from({ length: 130 }, (_, item) => call(item)));
    while (batches.length < 3) await turn();
    expect(batches.map(({ items }) => items.length)).toEqual([64, 64, 2]);
    for (const { answer } of batches) answer();
    expect((await answers)[129]).toBe(1290);
  });

  it("fail alone for an error of their own, and together when the batch fails", async () => {
    const own = new Error("of 2");
    const call = inBatches(async (items: readonly number[]) =>
      items.map((item) => (item === 2 ? own : item)),
    );
    expect(await Promise.allSettled([call(1), call(2)])).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: own },
    ]);
    const down = new Error("down");
    const failing = inBatches(() => Promise.reject(down));
    expect(await Promise.allSettled([failing(1), failing(2)])).toEqual([
      { status: "rejected", reason: down },
      { status: "rejected", reason: down },
    ]);
  });

  it("leave again after a batch failed", async () => {
    const { batches, run } = controlled();
    const call = inBatches(run);
    const failed = call(1);
    await turn();
    batches[0]?.fail(new Error("down"));
    await expect(failed).rejects.toThrow("down");
    const next = call(2);
    await turn();
    batches[1]?.answer();
    expect(await next).toBe(20);
  });
});

describe("reads in batches", () => {
  const poison = new Error("item 2 cannot be read");
  const down = new Error("nothing answers");

  function reads(error: Error) {
    const asked: (readonly number[])[] = [];
    const read = readInBatches(
      async (items: readonly number[]) => {
        asked.push(items);
        if (items.includes(2)) throw error;
        return items;
      },
      (cause) => cause === poison,
    );
    return { asked, read };
  }

  it("are repeated one by one after an error that one of them may have caused", async () => {
    const { asked, read } = reads(poison);
    expect(await Promise.allSettled([read(1), read(2), read(3)])).toEqual([
      { status: "fulfilled", value: 1 },
      { status: "rejected", reason: poison },
      { status: "fulfilled", value: 3 },
    ]);
    expect(asked).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("are not repeated after an error that none of them caused", async () => {
    const { asked, read } = reads(down);
    const settled = await Promise.allSettled([read(1), read(2)]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(asked).toEqual([[1, 2]]);
  });

  it("of one item are not repeated", async () => {
    const { asked, read } = reads(poison);
    await expect(read(2)).rejects.toBe(poison);
    expect(asked).toEqual([[2]]);
  });
});
