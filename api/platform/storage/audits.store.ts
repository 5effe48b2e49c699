import { randomUUID } from "node:crypto";
import { desc } from "drizzle-orm";
import type { Executor } from "../database/connect.ts";
import { storageAudit } from "./tables.ts";

/** Stores how an audit that ran to its end ended, for the metrics of every process. */
export async function recordAudit(
  db: Executor,
  audit: Omit<typeof storageAudit.$inferInsert, "id">,
): Promise<void> {
  await db.insert(storageAudit).values({ id: randomUUID(), ...audit });
}

/** The audit that ended last; null before the first one. */
export async function lastAudit(db: Executor) {
  const [row] = await db
    .select()
    .from(storageAudit)
    .orderBy(desc(storageAudit.finishedAt))
    .limit(1);
  return row ?? null;
}
