import { and, eq, inArray, isNotNull, lte, or } from "drizzle-orm";
import type { Address } from "viem";
import {
  chainViews,
  isHeldBySealer,
  isValidSoul,
  isWithoutViews,
  readable,
} from "../../soul/index-views.store.ts";
import type { Database } from "../database/connect.ts";
import type { Standing } from "./tables.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** How long ago an owner sealed its agent before it is known. */
const KNOWN_AFTER_SECONDS = 7 * DAY_SECONDS;

/**
 * The standing of accounts that decided something together: known when one of them owns a valid
 * agent that it sealed more than seven days ago, or an agent for which it is attested as human. It
 * comes from the index, and only decides which share of the sponsored gas is used: without an index
 * every account is a stranger.
 */
export async function standingOf(
  db: Database,
  accounts: readonly Address[],
  at: Date,
): Promise<Standing> {
  const { soul, passport } = chainViews;
  const sealers = accounts.map((account) => account.toLowerCase() as Address);
  const sealedBefore = BigInt(Math.floor(at.getTime() / 1000) - KNOWN_AFTER_SECONDS);
  const isAged = and(isValidSoul(soul, passport), lte(soul.sealedAt, sealedBefore));
  const isAttested = and(isHeldBySealer(soul, passport), isNotNull(soul.humanVerifier));
  try {
    const rows = await readable(() =>
      db
        .select({ tokenId: soul.tokenId })
        .from(soul)
        .innerJoin(passport, eq(passport.id, soul.passportId))
        .where(and(inArray(soul.sealer, sealers), or(isAged, isAttested)))
        .limit(1),
    );
    return rows.length > 0 ? "known" : "stranger";
  } catch (error) {
    if (isWithoutViews(error)) return "stranger";
    throw error;
  }
}
