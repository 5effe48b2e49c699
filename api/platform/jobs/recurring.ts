import type { JobHandler } from "./ports.ts";

/** What a stopped process may have left half done, and what is kept only for a time. */
export interface RecoveryParts {
  readonly relayer: { recover(): Promise<void> };
  readonly registration: { recover(): Promise<void> };
  readonly chronicles: { recover(): Promise<void> };
  readonly operations: { recover(): Promise<void> };
  readonly registrations: { forgetApiKeys(before: Date): Promise<void> };
  readonly idempotency: { deleteExpired(at: Date): Promise<number> };
  readonly clock: () => Date;
}

/** As long as an answer can be asked for again under its Idempotency-Key. */
const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Finishes what stopped processes began, and forgets what nobody may ask for any more. Everything it drives is done once,
 * whoever drives it. Each is a job of its own: secrets are forgotten in time even while the chain does not answer.
 */
export function recoveryJobs(parts: RecoveryParts) {
  const { relayer, registration, registrations, chronicles, operations, idempotency, clock } =
    parts;
  return {
    "transactions.follow": () => relayer.recover(),
    // Also ends those whose signature has expired unused: the contract refuses them, and their names are free again.
    "registrations.finish": () => registration.recover(),
    "chronicles.finish": () => chronicles.recover(),
    "operations.finish": () => operations.recover(),
    "api-keys.forget": () =>
      registrations.forgetApiKeys(new Date(clock().getTime() - ANSWER_KEPT_MS)),
    "answers.forget": async () => {
      await idempotency.deleteExpired(clock());
    },
  } as const satisfies Readonly<Record<string, JobHandler>>;
}
