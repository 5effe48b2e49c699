import type { World } from "./world.ts";

/** One event of the demonstration's past. Events happen in the order of their days. */
export interface Step {
  /** Days before now. 0 is today. */
  readonly daysAgo: number;
  /** An agent, or its owner. */
  readonly subject: string;
  /** Follows the subject: "joins Harbour Commons". */
  readonly title: string;
  /** Whether there is one agent more afterwards. */
  readonly registers?: boolean;
  readonly run: (world: World) => Promise<unknown>;
}

/** A step of the demonstration failed. The stack itself runs. */
export class DemoStepError extends Error {
  override readonly name = "DemoStepError";

  constructor({ subject, title, daysAgo }: Step, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const what = `The demonstration failed at "${subject} ${title}" (${dayName(daysAgo)}): ${why}`;
    const advice =
      "The logs say more (.local/logs, or SVC_LOCAL_DIR). Without --demo full, npm start has one agent.";
    super(`${what}\n${advice}`, { cause });
  }
}

export function dayName(daysAgo: number): string {
  if (daysAgo === 0) return "today";
  return daysAgo === 1 ? "yesterday" : `${daysAgo} days ago`;
}
