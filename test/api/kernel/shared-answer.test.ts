import { expect, it } from "vitest";
import { shareAnswer } from "../../../api/kernel/shared-answer.ts";

let now = 0;

/** An answer that takes `tookMs` to make, and counts how often it was made. */
function counted(tookMs: number) {
  let made = 0;
  return shareAnswer({
    async make() {
      made += 1;
      now += tookMs;
      return made;
    },
    clock: () => new Date(now),
    keptMs: 1_000,
  });
}

it("makes one answer for all callers, and the next one when its time has passed", async () => {
  const answer = counted(0);
  expect(await Promise.all([answer(), answer()])).toEqual([1, 1]);
  now += 999;
  expect(await answer()).toBe(1);
  now += 1;
  expect(await answer()).toBe(2);
});

it("keeps an answer for 100 times what making it took", async () => {
  const answer = counted(200);
  expect(await answer()).toBe(1);
  now += 19_799;
  expect(await answer()).toBe(1);
  now += 1;
  expect(await answer()).toBe(2);
});

it("makes the answer again after a failure", async () => {
  let fails = true;
  const answer = shareAnswer({
    async make() {
      if (fails) throw new Error("down");
      return "up";
    },
    clock: () => new Date(now),
    keptMs: 1_000,
  });
  await expect(answer()).rejects.toThrow("down");
  fails = false;
  expect(await answer()).toBe("up");
});
