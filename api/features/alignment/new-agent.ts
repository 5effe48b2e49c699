import type { IndexedSoul } from "../../soul/index-reads.ts";

/** An epoch younger than this has no score, in seconds. */
const NEW_SECONDS = 30n * 24n * 60n * 60n;

/** When an agent's present epoch is old enough for a score, in Unix seconds. */
export function scoredFrom({
  epoch,
  mintTimestamp,
  sealedAt,
}: Pick<IndexedSoul, "epoch" | "mintTimestamp" | "sealedAt">): bigint {
  // The first epoch begins with the registration, every other with its reseal.
  return (epoch === 1 ? mintTimestamp : (sealedAt ?? mintTimestamp)) + NEW_SECONDS;
}
