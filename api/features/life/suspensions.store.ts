import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Database } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { passportSuspension, passportWatch } from "./tables.ts";

/** Where a scan continues: everything before it has been checked. */
export interface WatchCursor {
  /** For the poll 0 among the souls, and 1 among the passports without one. */
  readonly block: bigint;
  /** Passport id within the block; for the poll a token id or a passport id. */
  readonly id: bigint;
}

/**
 * A passport that left the sealer of its soul: until a reseal, also when it is back and a
 * suspension stands.
 */
export interface Suspension {
  readonly id: string;
  readonly passportId: bigint;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly sealer: Address;
  readonly owner: Address;
  readonly observedBlock: bigint;
}

/** A step between two cursors, by the state of one block. */
export interface WatchStep {
  readonly from: WatchCursor;
  readonly to: WatchCursor;
  readonly seenBlock: bigint;
}

const START = { block: 0n, id: 0n };

export type WatchRound = (typeof passportWatch.$inferSelect)["round"];
export type SuspensionStore = ReturnType<typeof suspensionStore>;

/** What the passport watch has seen, and how far it has come, in Postgres. */
export function suspensionStore(db: Database) {
  const isRound = (round: WatchRound) => eq(passportWatch.round, round);

  return {
    /** The start, when a round has never run. */
    async cursor(round: WatchRound): Promise<WatchCursor> {
      const [row] = await db.select().from(passportWatch).where(isRound(round));
      return row ? { block: row.block, id: row.nextId } : START;
    },

    inTransaction: <T>(work: (tx: Transaction) => Promise<T>) => db.transaction(work),

    /**
     * Advances a round. False when another process has, or when any round has seen a later block:
     * this step's result is then outdated. Concurrent calls wait for the end of the transaction.
     */
    async move(
      tx: Transaction,
      round: WatchRound,
      { from, to, seenBlock }: WatchStep,
    ): Promise<boolean> {
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

    /** The suspensions of these passports that have not ended. */
    async lasting(tx: Transaction, passportIds: readonly bigint[]): Promise<readonly Suspension[]> {
      if (passportIds.length === 0) return [];
      return tx
        .select()
        .from(passportSuspension)
        .where(
          and(
            isNull(passportSuspension.endedAt),
            inArray(passportSuspension.passportId, [...passportIds]),
          ),
        );
    },

    async begin(tx: Transaction, suspension: Suspension, at: Date): Promise<void> {
      await tx.insert(passportSuspension).values({ ...suspension, createdAt: at });
    },

    async end(tx: Transaction, id: string, at: Date): Promise<void> {
      await tx.update(passportSuspension).set({ endedAt: at }).where(eq(passportSuspension.id, id));
    },

    /**
     * Records that nothing is left to do, and by which transaction; null when another account sent
     * it. Keeps the first.
     */
    async recorded(id: string, transaction: Hex | null, at: Date): Promise<void> {
      await db
        .update(passportSuspension)
        .set({ recordedAt: at, recordTx: transaction })
        .where(and(eq(passportSuspension.id, id), isNull(passportSuspension.recordedAt)));
    },
  };
}
