import { MONTH_SECONDS } from "../../../protocol/index.ts";
import type { IndexedSoul } from "../../soul/index-reads.ts";

/** When an agent's present epoch is old enough for a score, in Unix seconds. */
export function scoredFrom({
  epoch,
  mintTimestamp,
  sealedAt,
}: Pick<IndexedSoul, "epoch" | "mintTimestamp" | "sealedAt">): bigint {
  // The first epoch begins with the registration, every other with its reseal.
  return (epoch === 1 ? mintTimestamp : (sealedAt ?? mintTimestamp)) + MONTH_SECONDS;
}
