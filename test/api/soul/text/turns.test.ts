import fc from "fast-check";
import { expect, it } from "vitest";
import { createTurns } from "../../../../api/soul/text/turns.ts";
import { numRuns } from "../../../protocol/arbitraries.ts";

const refusal = () => new Error("Retry after a moment.");

/** Turns whose work ends when the test says so. */
function turnsOf(limits: { atOnce?: number; places?: number; waitMs?: number } = {}) {
  const turns = createTurns({ atOnce: 1, places: 10, waitMs: 60_000, ...limits }, refusal);
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const refused: string[] = [];
  /** Asks for a turn under a name such as `a1`: the first of caller `a`. */
  const ask = (name: string) =>
    turns
      .run(
        name.slice(0, 1),
        () =>
          new Promise<void>((resolve) => {
            started.push(name);
            running.set(name, resolve);
          }),
      )
      .catch((error: unknown) => {
        expect(error).toEqual(refusal());
        refused.push(name);
      });
  /** Ends the oldest turns, until none is left. */
  async function endAll() {
    await settled();
    for (const [name, end] of running) {
      running.delete(name);
      end();
      await settled();
    }
  }
  return { ask, endAll, running, started, refused };
}

/** Lets every promise that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it("gives a caller one turn at a time, and lets others pass", async () => {
  const { ask, endAll, started } = turnsOf({ atOnce: 2 });
  const answers = ["a1", "a2", "a3", "b1"].map(ask);
  await settled();
  expect(started).toEqual(["a1", "b1"]);
  await endAll();
  await Promise.all(answers);
  expect(started).toEqual(["a1", "b1", "a2", "a3"]);
});

it("takes waiting callers in rotation", async () => {
  const { ask, endAll, started } = turnsOf();
  const answers = ["a1", "a2", "a3", "b1", "b2", "c1"].map(ask);
  await endAll();
  await Promise.all(answers);
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

it("refuses the newest of the caller with the most waiting requests when all places are taken", async () => {
  const { ask, endAll, started, refused } = turnsOf({ places: 3 });
  const answers = ["a1", "a2", "a3", "a4", "a5", "b1"].map(ask);
  await settled();
  expect(refused).toEqual(["a5", "a4"]);
  await endAll();
  await Promise.all(answers);
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
});

it("refuses a request that waited too long, and gives its place to others", async () => {
  const { ask, endAll, started, refused } = turnsOf({ places: 1, waitMs: 1 });
  const first = ask("a1");
  await ask("b1");
  expect(refused).toEqual(["b1"]);
  const last = ask("c1");
  await endAll();
  await Promise.all([first, last]);
  expect(started).toContain("a1");
  expect(started).not.toContain("b1");
});

it("gives a turn after work that failed", async () => {
  const turns = createTurns({ atOnce: 1, places: 1, waitMs: 60_000 }, refusal);
  await expect(turns.run("a", () => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
  expect(await turns.run("a", async () => "read")).toBe("read");
});

it("never makes a caller wait for more than one turn of each other caller", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (callers, atOnce) => {
        const { ask, endAll, running, started, refused } = turnsOf({ atOnce, places: 20 });
        const answers = callers.map((caller, index) => ask(`${caller}${index}`));
        await settled();
        const before = started.length;
        answers.push(ask("z0"));
        await settled();
        expect(running.size).toBeLessThanOrEqual(atOnce);
        await endAll();
        await Promise.all(answers);
        const since = started.slice(before, started.indexOf("z0")).map((name) => name.slice(0, 1));
        expect(since).toEqual([...new Set(since)]);
        expect([refused, started.length]).toEqual([[], answers.length]);
      },
    ),
    { numRuns },
  );
});
