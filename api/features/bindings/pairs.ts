import { NAMED_VALUES } from "../../../protocol/index.ts";

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

/** Seen from an agent: bindings that it made, that others made with it, or both. */
export const BINDING_DIRECTIONS = ["inbound", "outbound", "both"] as const;

export interface BindingFilter {
  readonly direction: (typeof BINDING_DIRECTIONS)[number];
  readonly trustLevel: TrustLevel | undefined;
  /** Whether bindings of epochs that ended are listed too. */
  readonly includeEnded: boolean;
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
