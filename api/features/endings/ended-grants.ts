import type { Address } from "viem";
import type { ChainSoul } from "../../soul/chain-soul.ts";

/** What was granted in an epoch, and ends with it. Public facts and numbers only. */
export interface EndedGrants {
  readonly epoch: number;
  /** API keys that worked. */
  readonly apiKeys: number;
  readonly webhooks: number;
  /** Null when the owner acted for the agent. */
  readonly operator: Address | null;
  /** Whether the agent could spend from its owner's wallet. */
  readonly allowance: boolean;
  /** Null for an agent without one. */
  readonly organizationId: number | null;
  /** Bindings that were not revoked. */
  readonly bindings: { readonly outbound: number; readonly inbound: number };
  /** Whether public keys were set for the agent. */
  readonly agentKeys: boolean;
  /** Whether the owner had listed addresses in the DID document. */
  readonly didAddresses: boolean;
}

export interface EndedReads {
  /** What stands in an epoch now, as last indexed. */
  grantsOf(
    tokenId: bigint,
    epoch: number,
  ): Promise<Omit<EndedGrants, "epoch" | "operator" | "didAddresses">>;
}

/** What ends with the soul's present epoch. */
export async function endedGrants(
  reads: EndedReads,
  { tokenId, epoch, operator, didArchiveId }: ChainSoul,
): Promise<EndedGrants> {
  const grants = await reads.grantsOf(tokenId, epoch);
  return { epoch, operator, didAddresses: BigInt(didArchiveId) !== 0n, ...grants };
}
