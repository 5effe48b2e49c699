import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { indexFault, passportAsked, passportDifference } from "../../soul/comparison/tables.ts";

/** A range of blocks of which the index lacks something. */
export interface FaultyRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** What was compared: one fault lasts for each. */
  readonly detail: string;
}

export interface Difference {
  readonly passportId: bigint;
  /** 0 without a soul. */
  readonly tokenId: bigint;
  /** On chain. */
  readonly owner: Address | null;
  /** Null when an index that is built again would lack the same: the passport is older than what is indexed. */
  readonly range: FaultyRange | null;
}

/** What a comparison with the state of the block `seenBlock` says. */
export interface Judgement {
  readonly seenBlock: bigint;
  readonly agreeing: readonly bigint[];
  readonly differences: readonly Difference[];
}

/** An index that was built again and lacks the same is not built again at once. */
const REBUILT_EVERY_MS = 24 * 60 * 60 * 1000;

export type DifferenceStore = ReturnType<typeof differenceStore>;

/** What the comparison of index and contracts found, in Postgres. */
export function differenceStore(db: Database) {
  return {
    /** Passports that differ, first those that have been so for longest. */
    async differing(limit: number): Promise<readonly bigint[]> {
      const rows = await db
        .select({ passportId: passportDifference.passportId })
        .from(passportDifference)
        .orderBy(asc(passportDifference.foundAt), asc(passportDifference.passportId))
        .limit(limit);
      return rows.map(({ passportId }) => passportId);
    },

    /**
     * Passports that were answered from the index, which are then forgotten: what fails to be compared is compared by the sweep,
     * or when it is asked for again.
     */
    async takeAsked(limit: number): Promise<readonly bigint[]> {
      const { rows } = await db.execute<{ passport_id: string }>(sql`
        delete from ${passportAsked} where passport_id in
          (select passport_id from ${passportAsked} limit ${limit} for update skip locked)
        returning passport_id`);
      return rows.map((row) => BigInt(row.passport_id));
    },

    inTransaction: <T>(work: (tx: Transaction) => Promise<T>) => db.transaction(work),

    /** Marks what differs, and opens a fault for what was marked before; ends both for what agrees. */
    async judge(
      tx: Transaction,
      { seenBlock, agreeing, differences }: Judgement,
      at: Date,
    ): Promise<void> {
      if (agreeing.length > 0) {
        const ended = await tx
          .delete(passportDifference)
          .where(inArray(passportDifference.passportId, [...agreeing]))
          .returning({ passportId: passportDifference.passportId });
        const details = ended.map(({ passportId }) => `passport ${passportId}`);
        if (details.length > 0) await endFaults(tx, details, at);
      }
      for (const { passportId, tokenId, range, ...chain } of differences) {
        const owner = (chain.owner?.toLowerCase() ?? null) as Address | null;
        const [marked] = await tx
          .insert(passportDifference)
          .values({ passportId, tokenId, owner, foundAt: at, seenBlock })
          .onConflictDoUpdate({
            target: passportDifference.passportId,
            set: { tokenId, owner, seenBlock },
          })
          .returning({ isKnown: sql<boolean>`xmax <> 0` });
        // At the first look the index may not have followed a reorganization yet.
        if (range !== null && marked?.isKnown) await openFault(tx, range, at);
      }
    },

    openFault: (range: FaultyRange, at: Date) => openFault(db, range, at),
    endFault: (detail: string, at: Date) => endFaults(db, [detail], at),
  };
}

async function openFault(tx: Executor, range: FaultyRange, at: Date): Promise<void> {
  const { fromBlock, toBlock, detail } = range;
  const isKnown = and(
    eq(indexFault.foundBy, "compared"),
    eq(indexFault.detail, detail),
    or(
      isNull(indexFault.mendedAt),
      gt(indexFault.mendedAt, new Date(at.getTime() - REBUILT_EVERY_MS)),
    ),
  );
  const known = await tx.select({ id: indexFault.id }).from(indexFault).where(isKnown).limit(1);
  if (known.length > 0) return;
  await tx
    .insert(indexFault)
    .values({ foundAt: at, foundBy: "compared", fromBlock, toBlock, detail })
    .onConflictDoNothing();
}

async function endFaults(tx: Executor, details: readonly string[], at: Date): Promise<void> {
  await tx
    .update(indexFault)
    .set({ mendedAt: at })
    .where(
      and(
        isNull(indexFault.mendedAt),
        eq(indexFault.foundBy, "compared"),
        inArray(indexFault.detail, [...details]),
      ),
    );
}
