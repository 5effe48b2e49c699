import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";

/** What a stopped process may have left half done. */
export interface RecoveryParts {
  readonly relayer: { recover(): Promise<void> };
  readonly registration: { recover(): Promise<void> };
  readonly registrations: { forgetApiKeys(before: Date): Promise<void> };
  readonly log: Logger;
  readonly clock: () => Date;
}

const EVERY_MS = 30_000;

/** As long as an answer can be asked for again under its Idempotency-Key. */
const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Finishes what stopped processes began: once at the start, and again every half minute for what failed then. Runs beside the
 * requests: everything it drives is done once, whoever drives it.
 */
export function startRecovery(parts: RecoveryParts): { stop(): Promise<void> } {
  const abort = new AbortController();

  async function round(): Promise<void> {
    await parts.relayer.recover();
    await parts.registration.recover();
    await parts.registrations.forgetApiKeys(new Date(parts.clock().getTime() - ANSWER_KEPT_MS));
  }

  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      await round().catch((error: unknown) => {
        parts.log.warn({ err: error }, "recovery did not finish; it will be tried again");
      });
      await delay(EVERY_MS, undefined, { signal: abort.signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      abort.abort();
      await running;
    },
  };
}
