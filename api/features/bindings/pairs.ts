import type { Hex } from "viem";
import { NAMED_VALUES, type SetBindingMessage } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { ActiveSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { byTokenId, noSuchSoul } from "../../soul/soul-ref.ts";

/** How far an agent trusts another: the contract's TrustLevel without NONE. */
export const TRUST_LEVELS = ["trusted", "verified", "limited", "revoked"] as const;
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** Who stands behind a binding: the agent's owner, or only the service for its key or session. */
export const BINDING_AUTHORITIES = ["SERVICE", "OWNER"] as const;
export type BindingAuthority = (typeof BINDING_AUTHORITIES)[number];

/** Longest context in bytes of UTF-8. */
export const MAX_CONTEXT_BYTES = 1024;

/** What a binding shall be. */
export interface BindingRequest {
  readonly fromTokenId: bigint;
  readonly toTokenId: bigint;
  readonly trustLevel: TrustLevel;
  /** What for, in words. */
  readonly context: string;
}

/** A binding as the registry records it, also after one of its epochs has ended. */
export interface RecordedBinding {
  readonly authority: BindingAuthority | "NONE";
  readonly trustLevel: TrustLevel | null;
  readonly epoch: number;
  /** What the owner's next write is signed over. */
  readonly version: number;
  /** What the service's next write names. */
  readonly serviceVersion: number;
  readonly contextHash: Hex;
}

/** The agent that is trusted. It may be suspended or burned. */
export interface Partner {
  readonly name: string;
  readonly epoch: number;
}

/** Two agents and the binding between them, as the chain has them now. */
export interface Pair {
  readonly soul: ActiveSoul;
  readonly partner: Partner;
  readonly recorded: RecordedBinding;
}

/** A write of a binding, as its event tells it. */
export interface BindingWrite {
  readonly bindingId: Hex;
  readonly previousTrustLevel: TrustLevel | null;
  readonly trustLevel: TrustLevel;
  readonly context: string;
  readonly writtenAt: Date;
}

export interface BindingChain {
  /** The second agent, null when there is no such one, and the recorded binding, in one block. */
  pair(
    fromTokenId: bigint,
    toTokenId: bigint,
  ): Promise<{ readonly partner: Partner | null; readonly recorded: RecordedBinding }>;
  /** The last write of this pair with this authority in a transaction. */
  writeIn(
    txHash: Hex,
    of: Pick<BindingRequest, "fromTokenId" | "toTokenId"> & {
      readonly authority: BindingAuthority;
    },
  ): Promise<BindingWrite>;
  setBinding(message: SetBindingMessage, signature: Hex): Call;
  setServiceBinding(
    request: BindingRequest,
    at: {
      readonly epoch: number;
      readonly toEpoch: number;
      readonly serviceVersion: number;
    },
  ): Call;
}

/** The contract's number of a trust level. */
export function trustLevelNumber(level: TrustLevel): number {
  return NAMED_VALUES.trustLevel.indexOf(level);
}

/** The trust level with this number; null for NONE. */
export function trustLevelOf(number: number): TrustLevel | null {
  const name = NAMED_VALUES.trustLevel[number];
  if (name === undefined) throw new RangeError(`No such trust level: ${number}.`);
  return name === "none" ? null : name;
}

/**
 * Reads both agents and their binding.
 *
 * @throws ApiError INVALID_REQUEST for an agent that would bind itself; NOT_FOUND for either agent; of the first one BURNED,
 * SUSPENDED, FORBIDDEN (not sealed).
 */
export async function readPair(
  { souls, chain }: { readonly souls: ChainSouls; readonly chain: Pick<BindingChain, "pair"> },
  { fromTokenId, toTokenId }: Pick<BindingRequest, "fromTokenId" | "toTokenId">,
): Promise<Pair> {
  const soul = await requireSoul(souls, fromTokenId, "active");
  if (fromTokenId === toTokenId) {
    throw badRequest("partnerTokenId", "An agent is not bound to itself");
  }
  const { partner, recorded } = await chain.pair(fromTokenId, toTokenId);
  if (partner === null) throw noSuchSoul(byTokenId(toTokenId));
  return { soul, partner, recorded };
}
