import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { IndexStore } from "./index-store.ts";
import type { Ponder } from "./ponder.ts";
import type { createSecondReading } from "./second-reading.ts";

/** How often it is looked whether another index is wanted or has become ready. */
const LOOK_MS = 2_000;
/** How often it is looked whether the first index has become ready. */
const START_MS = 200;
/** Pause after a failure: of the database, a node, or an index that is being built. */
const RETRY_MS = 10_000;

export type Supervisor = ReturnType<typeof createSupervisor>;

interface SupervisorParts {
  readonly store: IndexStore;
  readonly reading: ReturnType<typeof createSecondReading>;
  readonly start: (schema: string) => Promise<Ponder>;
  readonly log: (level: "info" | "warn" | "error", msg: string, fields: object) => void;
}

/**
 * Runs one Ponder, and a second one while an index is built that does without a fault of the first: Ponder cannot insert
 * into history. The views are pointed at an index once it is ready; then the old one stops. All that it needs to
 * know after its own end is in the database: the views and the faults.
 */
export function createSupervisor({ store, reading, start, log }: SupervisorParts) {
  const end = new AbortController();
  let main: Ponder | undefined;
  let next: Ponder | undefined;
  let status: number | undefined;
  /** Whether the views have shown the index of the first Ponder. They may show another release's since. */
  let isShown = false;
  /** The schema whose faults are known to be mended. */
  let finished: string | undefined;

  const pause = (ms: number) => delay(ms, undefined, { signal: end.signal }).catch(() => {});

  function serve(ponder: Ponder): void {
    main = ponder;
    const ended = (code: number) => {
      if (main !== ponder) return;
      status = code;
      end.abort();
    };
    ponder.exited.then(ended, () => ended(1));
  }

  /**
   * Until the index that the views show can be started without a wait of its readers. Ponder does not touch it while no node
   * answers: until then reads have the indexes.
   */
  async function untilRestartable(schema: string): Promise<void> {
    if (!(await reading.answers())) return;
    let isLogged = false;
    while (!end.signal.aborted && !(await store.prepareRestart(schema))) {
      const what = "Waiting for a process that has the index, or for a read of its tables";
      if (!isLogged) log("info", what, { schema });
      isLogged = true;
      await pause(LOOK_MS);
    }
  }

  async function build(schema: string): Promise<void> {
    await store.prepare(schema);
    if (end.signal.aborted) return;
    log("warn", "Building a new index beside the one with a fault", { schema });
    const ponder = await start(schema);
    next = ponder;
    const ended = (code: number) => {
      if (next !== ponder) return;
      next = undefined;
      log("error", "The index that was being built ended", { schema, code });
    };
    ponder.exited.then(ended, () => ended(1));
  }

  async function discard(): Promise<void> {
    const ponder = next;
    next = undefined;
    await ponder?.stop();
  }

  /** Points the views at an index that is ready. */
  async function show({ schema }: Ponder): Promise<boolean> {
    const shows = await store.show(schema);
    if (!shows) {
      log("warn", "The views could not be changed yet: a reader holds one", { schema });
      await pause(LOOK_MS);
    }
    return shows;
  }

  async function look(): Promise<void> {
    const { served, wanted } = await store.look();
    // Another release has the views.
    if (served === null) {
      await discard();
      return;
    }
    if (next !== undefined && next.schema !== wanted) await discard();
    if (next === undefined && main?.schema !== wanted) await build(wanted);
    const ready = next;
    if (ready !== undefined && (await ready.isReady()) && (await show(ready))) {
      const old = main;
      serve(ready);
      next = undefined;
      await old?.stop();
    }
    if (main !== undefined && finished !== main.schema) {
      await store.finish(main.schema);
      finished = main.schema;
      log("info", "The views show this index", { schema: finished });
    }
  }

  /** Repeats a step, with a pause after each that found nothing to do or failed. */
  async function repeat(
    what: string,
    pauseMs: () => number,
    step: () => Promise<boolean>,
  ): Promise<void> {
    while (!end.signal.aborted) {
      try {
        if (!(await step())) await pause(pauseMs());
      } catch (error) {
        log("warn", what, { error: (error as Error).message });
        await pause(RETRY_MS);
      }
    }
  }

  async function readAgain(): Promise<boolean> {
    if ((await store.look()).served === null) return false;
    const result = await reading.step();
    if (result?.wrong) {
      const { first, last } = result.wrong;
      const range = { first: String(first), last: String(last) };
      log("error", "Stored blocks have other logs than the chain", range);
    }
    return result !== null;
  }

  return {
    /** The port of the Ponder that serves. */
    port: () => main?.port ?? 0,

    /** Whether the views have shown an index of this process, and so may be read. */
    isShown: () => isShown,

    /** Settles with the exit status of the Ponder that served: 0 after a stop. Starts the index that served last. */
    async run(): Promise<number> {
      const first = await store.look();
      await (first.served === null ? store.prepare(first.wanted) : untilRestartable(first.served));
      if (end.signal.aborted) return 0;
      serve(await start(first.served ?? first.wanted));
      void reading.start();
      const lookMs = () => (isShown ? LOOK_MS : START_MS);
      void repeat("The index is not supervised", lookMs, async () => {
        isShown ||= main !== undefined && (await main.isReady()) && (await show(main));
        if (isShown) await look();
        return false;
      });
      void repeat("Blocks could not be read again", () => LOOK_MS, readAgain);
      if (!end.signal.aborted) await once(end.signal, "abort");
      const last = main;
      await Promise.all([discard(), last?.stop()]);
      return status ?? (await last?.exited.catch(() => 1)) ?? 0;
    },

    stop: () => end.abort(),
  };
}
