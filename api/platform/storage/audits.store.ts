import { randomUUID } from "node:crypto";
import { desc } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import { storageAudit } from "./tables.ts";

/** An audit of permanent storage that ran to its end. */
interface FinishedAudit {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Items that were read. */
  readonly items: number;
  readonly problems: number;
}

/** Stores how an audit ended, for the metrics of every process. */
export async function recordAudit(db: Executor, audit: FinishedAudit): Promise<void> {
  await db.insert(storageAudit).values({
    id: randomUUID(),
    startedAt: audit.startedAt,
    finishedAt: audit.finishedAt,
    items: audit.items,
    problems: audit.problems,
  });
}

/** The audit that ended last; null before the first one. */
export async function lastAudit(db: Executor): Promise<FinishedAudit | null> {
  const [row] = await db
    .select()
    .from(storageAudit)
    .orderBy(desc(storageAudit.finishedAt))
    .limit(1);
  return row ?? null;
}
