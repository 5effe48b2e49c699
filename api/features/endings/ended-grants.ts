import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { EndedGrants, EndedReads } from "./endings.store.ts";

export type { EndedGrants, EndedReads };

/** What ends with the soul's present epoch. */
export async function endedGrants(
  reads: EndedReads,
  { tokenId, epoch, operator, didArchiveId }: ChainSoul,
): Promise<EndedGrants> {
  const grants = await reads.grantsOf(tokenId, epoch);
  return { epoch, operator, didAddresses: BigInt(didArchiveId) !== 0n, ...grants };
}
