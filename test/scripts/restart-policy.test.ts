import { describe, expect, it } from "vitest";
import { RESTART_POLICY, RestartCounter } from "../../scripts/local-stack/restart-policy.ts";

describe("the restart policy of the local stack", () => {
  it("doubles its wait with each quick failure and gives up after five", () => {
    const counter = new RestartCounter(RESTART_POLICY);
    expect(Array.from({ length: 6 }, () => counter.next(0))).toEqual([
      { attempt: 1, waitMs: 1_000 },
      { attempt: 2, waitMs: 2_000 },
      { attempt: 3, waitMs: 4_000 },
      { attempt: 4, waitMs: 8_000 },
      { attempt: 5, waitMs: 16_000 },
      null,
    ]);
  });

  it("never waits longer than its longest wait", () => {
    const counter = new RestartCounter({ ...RESTART_POLICY, tries: 7 });
    const waits = Array.from({ length: 7 }, () => counter.next(0)?.waitMs);
    expect(waits.slice(4)).toEqual([16_000, 30_000, 30_000]);
  });

  it("starts again at the shortest wait after a component has run for a minute", () => {
    const counter = new RestartCounter(RESTART_POLICY);
    counter.next(0);
    counter.next(59_999);
    expect(counter.next(59_999)).toEqual({ attempt: 3, waitMs: 4_000 });
    expect(counter.next(60_000)).toEqual({ attempt: 1, waitMs: 1_000 });
  });
});
