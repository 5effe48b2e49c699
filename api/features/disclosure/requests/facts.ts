import type { RequesterFacts } from "../../../../protocol/index.ts";
import type { ChainSoul } from "../../../soul/chain-soul.ts";

/** Two agents and what is between them, all read in one block with one call. */
export interface PairFacts {
  /** Null for a token id that was never given. */
  readonly target: ChainSoul | null;
  readonly requester: ChainSoul | null;
  /** From the target to the requester. */
  readonly binding: RequesterFacts["binding"];
  /** Live membership; 0 for none. */
  readonly targetOrganization: bigint;
  readonly requesterOrganization: bigint;
}

/** Reads what decides about a disclosure. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface PairReads {
  pair(targetTokenId: bigint, requesterTokenId: bigint): Promise<PairFacts>;
}

/** The facts as a policy judges them. */
export function requesterFacts(
  pair: PairFacts,
  { did, hasEndpoint }: { readonly did: string; readonly hasEndpoint: boolean },
): RequesterFacts {
  return {
    purpose: "request",
    requester: { did, valid: pair.requester?.validity === "valid" },
    binding: pair.binding,
    targetOrganization: pair.targetOrganization,
    requesterOrganization: pair.requesterOrganization,
    hasEndpoint,
  };
}
