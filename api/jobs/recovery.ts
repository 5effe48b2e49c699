import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";

/** What a stopped process may have left half done. */
export interface RecoveryParts {
  readonly relayer: { recover(): Promise<void> };
  readonly registration: { recover(): Promise<void> };
  readonly chronicles: { recover(): Promise<void> };
  readonly registrations: { forgetApiKeys(before: Date): Promise<void> };
  readonly idempotency: { deleteExpired(at: Date): Promise<number> };
  readonly log: Logger;
  readonly clock: () => Date;
}

const EVERY_MS = 30_000;

/** As long as an answer can be asked for again under its Idempotency-Key. */
const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Finishes what stopped processes began, and forgets what nobody may ask for any more: once at the start, and again every half
 * minute. Runs beside the requests: everything it drives is done once, whoever drives it.
 */
export function startRecovery(parts: RecoveryParts): { stop(): Promise<void> } {
  const abort = new AbortController();

  /** Each on its own: secrets are forgotten in time even while the chain does not answer. */
  const tasks: Readonly<Record<string, (now: Date) => Promise<unknown>>> = {
    "forgetting API keys": (now) =>
      parts.registrations.forgetApiKeys(new Date(now.getTime() - ANSWER_KEPT_MS)),
    "forgetting answers": (now) => parts.idempotency.deleteExpired(now),
    "following transactions": () => parts.relayer.recover(),
    "finishing registrations": () => parts.registration.recover(),
    "carrying out changes": () => parts.chronicles.recover(),
  };

  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      for (const [task, perform] of Object.entries(tasks)) {
        await perform(parts.clock()).catch((error: unknown) => {
          parts.log.warn({ err: error, task }, "recovery did not finish; it will be tried again");
        });
      }
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
