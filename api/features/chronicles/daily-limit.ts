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
const DAILY_LIMIT = 5;

/** The limit of the UTC day of `time`. */
export function dailyLimit(kind: DailyLimitKind, time: Date): DailyLimit {
  return { kind, max: DAILY_LIMIT, day: time.toISOString().slice(0, 10) };
}

/** The error of one chronicle too many: RATE_LIMIT_EXCEEDED until tomorrow. */
export function dayIsFull({ kind, max }: DailyLimit, now: Date): ApiError {
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  return new ApiError("RATE_LIMIT_EXCEEDED", {
    message: `${LIMITED[kind]} at most ${max} times a day (UTC).`,
    details: { limit: max, counts: kind, resetAt: new Date(tomorrow).toISOString() },
    retryAfter: Math.ceil((tomorrow - now.getTime()) / 1000),
  });
}
