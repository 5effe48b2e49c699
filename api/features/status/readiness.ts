import { bounded } from "../../kernel/bounded.ts";

/**
 * Why a part is not ready, in a public text. Any other error of a check is shown as "does not
 * answer".
 */
export class NotReadyError extends Error {
  override readonly name = "NotReadyError";
}

/** Result of one check. `reason` is present when it is not ready. */
export interface ReadinessCheck {
  readonly ready: boolean;
  readonly reason?: string;
}

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Runs all checks in parallel. A check without an answer within `timeoutMs` milliseconds counts as
 * not ready. A check resolves when its part is ready and rejects otherwise.
 */
export function createReadiness(
  checks: Readonly<Record<string, () => Promise<void>>>,
  timeoutMs: number,
) {
  return {
    /** Whether the service can do its work now. Never rejects. */
    async check(): Promise<Readonly<Record<string, ReadinessCheck>>> {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          return [name, await runCheck(check, timeoutMs)] as const;
        }),
      );
      return Object.fromEntries(results);
    },
  };
}

async function runCheck(check: () => Promise<void>, timeoutMs: number): Promise<ReadinessCheck> {
  try {
    await bounded(timeoutMs, check, () => new NotReadyError("does not answer in time"));
    return { ready: true };
  } catch (error) {
    return {
      ready: false,
      reason: error instanceof NotReadyError ? error.message : "does not answer",
    };
  }
}
