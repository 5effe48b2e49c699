import { ApiError } from "../../kernel/errors.ts";

/**
 * Which of an agent's two daily limits a chronicle counts on. `mandatory`: revisions and operator changes, which only the owner
 * signs; they have a limit of their own, so that a stolen key cannot use it up. `ordinary`: every other chronicle.
 */
export type DailyLimitKind = "ordinary" | "mandatory";

/** Most chronicles of one agent and day, and the UTC day (`YYYY-MM-DD`) that they count for. */
export interface DailyLimit {
  readonly kind: DailyLimitKind;
  readonly max: number;
  readonly day: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const LIMITED: Readonly<Record<DailyLimitKind, string>> = {
  ordinary: "An agent records chronicles",
  mandatory: "An owner signs a soul_revision or operator_change of an agent",
};

/** Chronicles that the specification allows an agent on one day, of each kind. */
export const DAILY_LIMIT = 5;

export interface DailyLimits {
  /** The limit of the day of `time`; default: today's. */
  of(kind: DailyLimitKind, time?: Date): DailyLimit;
  /**
   * A first check, before anything is archived for good. The store decides when the chronicle is added.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED
   */
  assertRoom(tokenId: bigint, limit: DailyLimit): Promise<void>;
  full(limit: DailyLimit): ApiError;
}

/** How many chronicles an agent may record on one UTC day, of each kind. */
export function createDailyLimits({
  store,
  max,
  clock,
}: {
  readonly store: { hasRoom(tokenId: bigint, limit: DailyLimit): Promise<boolean> };
  readonly max: number;
  readonly clock: () => Date;
}): DailyLimits {
  function full({ kind }: DailyLimit): ApiError {
    const now = clock().getTime();
    const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    return new ApiError("RATE_LIMIT_EXCEEDED", {
      message: `${LIMITED[kind]} at most ${max} times a day (UTC).`,
      details: { limit: max, counts: kind, resetAt: new Date(tomorrow).toISOString() },
      retryAfter: Math.ceil((tomorrow - now) / 1000),
    });
  }

  return {
    of: (kind, time = clock()) => ({ kind, max, day: time.toISOString().slice(0, 10) }),
    async assertRoom(tokenId, limit) {
      if (!(await store.hasRoom(tokenId, limit))) throw full(limit);
    },
    full,
  };
}
