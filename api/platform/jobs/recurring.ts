import type { JobHandler } from "./ports.ts";

/** Work left by stopped processes, and data with a limited lifetime. */
export interface RecoveryParts {
  readonly relayer: { recover(): Promise<void> };
  readonly registration: { recover(): Promise<void> };
  readonly operations: { recover(): Promise<void> };
  readonly registrations: { forgetApiKeys(before: Date): Promise<void> };
  readonly idempotency: { deleteExpired(at: Date): Promise<number> };
  readonly clock: () => Date;
}

/** The time for which an answer is repeated under its Idempotency-Key. */
const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Finishes what stopped processes began, and deletes expired data. Every step is idempotent. Each
 * is a separate job, so that secrets are deleted in time even while the chain does not answer.
 */
export function recoveryJobs(parts: RecoveryParts) {
  const { relayer, registration, registrations, operations, idempotency, clock } = parts;
  return {
    "transactions.follow": () => relayer.recover(),
    // Also ends those whose signature expired unused: the contract rejects them, and their names
    // are free again.
    "registrations.finish": () => registration.recover(),
    "operations.finish": () => operations.recover(),
    "api-keys.forget": () =>
      registrations.forgetApiKeys(new Date(clock().getTime() - ANSWER_KEPT_MS)),
    "answers.forget": async () => {
      await idempotency.deleteExpired(clock());
    },
  } as const satisfies Readonly<Record<string, JobHandler>>;
}
