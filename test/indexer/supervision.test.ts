import { describe, expect, it, vi } from "vitest";
import type { IndexStore } from "../../scripts/processes/indexer/index-store.ts";
import type { Ponder } from "../../scripts/processes/indexer/ponder.ts";
import { createSupervisor } from "../../scripts/processes/indexer/supervisor.ts";

// The decisions of the supervisor, with processes and a database that do nothing.

const SOON = { timeout: 20_000, interval: 20 };

/** A supervisor whose views show `served`, while `wanted` should be shown. */
function supervised(served: string | null, wanted: string, hasNode = true) {
  const state = { served, wanted, isReady: true, isHeld: false };
  const steps: string[] = [];
  const ends = new Map<string, (code: number) => void>();
  const note = (step: string) => async (schema: string) => {
    steps.push(`${step} ${schema}`);
  };
  const start = async (schema: string): Promise<Ponder> => {
    steps.push(`start ${schema}`);
    const { promise: exited, resolve } = Promise.withResolvers<number>();
    ends.set(schema, resolve);
    const stop = async () => {
      steps.push(`stop ${schema}`);
      resolve(0);
    };
    return { schema, port: 1 + ends.size, exited, stop, isReady: async () => state.isReady };
  };
  const supervisor = createSupervisor({
    store: {
      look: async () => ({ served: state.served, wanted: state.wanted }),
      prepareRestart: async (schema: string) => {
        await note("restart")(schema);
        return true;
      },
      prepare: note("prepare"),
      show: async (schema: string) => {
        await note("show")(schema);
        if (!state.isHeld) state.served = schema;
        return !state.isHeld;
      },
      finish: note("finish"),
    } as unknown as IndexStore,
    reading: { start: async () => {}, answers: async () => hasNode, step: async () => null },
    start,
    log: () => {},
  });
  const status = supervisor.run();
  const done = (expected: readonly string[]) =>
    vi.waitFor(() => expect(steps).toEqual(expected), SOON);
  return { state, steps, ends, supervisor, status, done };
}

describe("the supervisor of the index", () => {
  it("lets an index without the fault take over once it is ready, and ends the old one", async () => {
    const { state, supervisor, status, done } = supervised("old", "old_1");
    state.isReady = false;
    const begun = ["restart old", "start old"];
    await done(begun);
    expect(supervisor.isShown()).toBe(false);
    state.isHeld = true;
    state.isReady = true;
    await done([...begun, "show old"]);
    expect(supervisor.isShown()).toBe(false);
    state.isHeld = false;
    const swapped = [
      ...[...begun, "show old", "show old", "prepare old_1", "start old_1"],
      ...["show old_1", "stop old", "finish old_1"],
    ];
    await done(swapped);
    expect([supervisor.isShown(), supervisor.port()]).toEqual([true, 3]);
    supervisor.stop();
    expect(await status).toBe(0);
    await done([...swapped, "stop old_1"]);
  }, 60_000);

  it("begins again when a further fault is found, and when the index that is built ends", async () => {
    const { state, ends, supervisor, status, done } = supervised("old_1", "old_1");
    const shown = ["restart old_1", "start old_1", "show old_1", "finish old_1"];
    await done(shown);
    state.isReady = false;
    state.wanted = "old_2";
    const begun = [...shown, "prepare old_2", "start old_2"];
    await done(begun);
    expect(supervisor.port()).toBe(2);
    ends.get("old_2")?.(75);
    const again = [...begun, "prepare old_2", "start old_2"];
    await done(again);
    state.wanted = "old_3";
    await done([...again, "stop old_2", "prepare old_3", "start old_3"]);
    supervisor.stop();
    expect(await status).toBe(0);
  }, 60_000);

  it("ends with the index that serves, and leaves the views to another release", async () => {
    const { state, ends, status, steps, done } = supervised(null, "new");
    const shown = ["prepare new", "start new", "show new", "finish new"];
    await done(shown);
    state.isReady = false;
    state.wanted = "new_4";
    await done([...shown, "prepare new_4", "start new_4"]);
    state.served = null;
    await vi.waitFor(() => expect(steps.at(-1)).toBe("stop new_4"), SOON);
    ends.get("new")?.(75);
    expect(await status).toBe(75);
  }, 60_000);

  it("leaves the index as it is for its readers while no node answers", async () => {
    const { supervisor, status, done } = supervised("old", "old", false);
    await done(["start old", "show old", "finish old"]);
    supervisor.stop();
    expect(await status).toBe(0);
  }, 60_000);
});
