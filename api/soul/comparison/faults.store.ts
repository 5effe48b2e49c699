import { isNotNull, isNull, max } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { indexFault, indexReread, passportDifference } from "./tables.ts";

/** What of the index is known to be wrong, and how far it was compared. */
interface IndexFaults {
  /** Ranges of blocks that it has to read again. */
  readonly open: number;
  /** Passports that are answered from the chain. */
  readonly passports: number;
  /** The last block that the indexer has read a second time; null before the first. */
  readonly rereadBlock: bigint | null;
}

export async function indexFaults(db: Database): Promise<IndexFaults> {
  const [open, passports, [reread]] = await Promise.all([
    db.$count(indexFault, isNull(indexFault.mendedAt)),
    db.$count(passportDifference),
    db
      .select({ block: max(indexReread.block) })
      .from(indexReread)
      .where(isNotNull(indexReread.rereadAt)),
  ]);
  return { open, passports, rereadBlock: reread?.block ?? null };
}
