import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import { AUDIT_ARCHIVE_JOB, type Audit } from "./audits.ts";
import { audit, auditTry } from "./tables.ts";
import type { AuditStore } from "./uploads.ts";

/** Left to the upload that completed the audit, which mostly archives the record at once. */
const HEAD_START_MS = 30_000;

/** Audits in Postgres. A completed one is written together with the job that archives its record. */
export function createAuditStore({
  db,
  jobs,
}: {
  readonly db: Database;
  readonly jobs: JobQueue;
}): AuditStore {
  return {
    inTransaction: (work) => db.transaction(work),

    async add(tx, { archiveId: _archiveId, ...added }) {
      await tx.insert(audit).values(added);
    },

    async find(id) {
      const [row] = await db.select().from(audit).where(eq(audit.id, id));
      return row ? toAudit(row) : null;
    },

    async lock(tx, id) {
      const [row] = await tx.select().from(audit).where(eq(audit.id, id)).for("update");
      return row ? toAudit(row) : null;
    },

    async takeTries(tx, auditId, tokenIds, max) {
      const taken = await tx
        .insert(auditTry)
        .values(tokenIds.map((tokenId) => ({ auditId, tokenId, tries: 1 })))
        .onConflictDoUpdate({
          target: [auditTry.auditId, auditTry.tokenId],
          set: { tries: sql`${auditTry.tries} + 1` },
          setWhere: lt(auditTry.tries, max),
        })
        .returning({ tokenId: auditTry.tokenId });
      const ids = new Set(taken.map(({ tokenId }) => tokenId));
      return tokenIds.filter((tokenId) => !ids.has(tokenId));
    },

    async complete(tx, id, record, completedAt) {
      await tx.update(audit).set({ record, completedAt }).where(eq(audit.id, id));
      const startAfter = new Date(completedAt.getTime() + HEAD_START_MS);
      const options = { startAfter, singletonKey: id };
      await jobs.send(tx, AUDIT_ARCHIVE_JOB, { auditId: id }, options);
    },

    async unarchived(id) {
      const [row] = await db
        .select({ record: audit.record })
        .from(audit)
        .where(and(eq(audit.id, id), isNull(audit.archiveId)));
      return row?.record ?? null;
    },

    async archived(id, archiveId) {
      await db.update(audit).set({ archiveId }).where(eq(audit.id, id));
    },

    async delivered(id, deliveredTo) {
      await db.update(audit).set({ deliveredTo }).where(eq(audit.id, id));
    },
  };
}

function toAudit(row: typeof audit.$inferSelect): Audit {
  const { record: _record, deliveredTo: _deliveredTo, ...stored } = row;
  return stored;
}
