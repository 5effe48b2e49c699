import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { SuspensionStore, WatchRound } from "./passport-watch.ts";
import type { SuspensionRecords } from "./suspension.ts";
import { passportSuspension, passportWatch } from "./tables.ts";

const START = { block: 0n, id: 0n };

/** What the passport watch has seen, and how far it has come, in Postgres. */
export function suspensionStore(db: Database): SuspensionStore & SuspensionRecords {
  const isRound = (round: WatchRound) => eq(passportWatch.round, round);

  return {
    async cursor(round) {
      const [row] = await db.select().from(passportWatch).where(isRound(round));
      return row ? { block: row.block, id: row.nextId } : START;
    },

    inTransaction: (work) => db.transaction(work),

    async move(tx, round, { from, to, seenBlock }) {
      // Both rounds write the same passports: they take turns here.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('passport watch', 0))`);
      await tx
        .insert(passportWatch)
        .values({ round, block: START.block, nextId: START.id, seenBlock: 0n })
        .onConflictDoNothing();
      const moved = await tx
        .update(passportWatch)
        .set({ block: to.block, nextId: to.id, seenBlock })
        .where(
          and(
            isRound(round),
            eq(passportWatch.block, from.block),
            eq(passportWatch.nextId, from.id),
            sql`not exists (select 1 from app.passport_watch as other where other.seen_block > ${seenBlock})`,
          ),
        )
        .returning({ round: passportWatch.round });
      return moved.length === 1;
    },

    async lasting(tx, passportIds) {
      if (passportIds.length === 0) return [];
      const rows = await tx
        .select()
        .from(passportSuspension)
        .where(
          and(
            isNull(passportSuspension.endedAt),
            inArray(passportSuspension.passportId, [...passportIds]),
          ),
        );
      return rows.map((row) => ({
        id: row.id,
        passportId: row.passportId,
        tokenId: row.tokenId,
        epoch: row.epoch,
        sealer: row.sealer,
        owner: row.owner,
        observedBlock: row.observedBlock,
      }));
    },

    async begin(tx, suspension, at) {
      await tx.insert(passportSuspension).values({ ...suspension, createdAt: at });
    },

    async end(tx, id, at) {
      await tx.update(passportSuspension).set({ endedAt: at }).where(eq(passportSuspension.id, id));
    },

    async recorded(id, transaction, at) {
      await db
        .update(passportSuspension)
        .set({ recordedAt: at, recordTx: transaction })
        .where(and(eq(passportSuspension.id, id), isNull(passportSuspension.recordedAt)));
    },
  };
}
