import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import { chainViews, isValidSoul, isWithoutViews, readable } from "../../soul/index-views.store.ts";
import type { Database } from "../database/connect.ts";

/**
 * Whether a wallet has sealed an agent that is still valid, as last indexed. It only decides which
 * share of the sponsored gas is used: without an index every wallet counts as a new one.
 */
export async function hasSealedAgent(db: Database, owner: Address): Promise<boolean> {
  const { soul, passport } = chainViews;
  try {
    const rows = await readable(() =>
      db
        .select({ tokenId: soul.tokenId })
        .from(soul)
        .innerJoin(passport, eq(passport.id, soul.passportId))
        .where(and(eq(soul.sealer, owner.toLowerCase() as Address), isValidSoul(soul, passport)))
        .limit(1),
    );
    return rows.length > 0;
  } catch (error) {
    if (isWithoutViews(error)) return false;
    throw error;
  }
}
