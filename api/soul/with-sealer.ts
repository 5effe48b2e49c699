import type { Address } from "viem";
import { isAddressEqual } from "viem";

/** Where a soul's passport is, as one source knows it. */
export interface PassportHolding {
  /** Who sealed the soul, or registered it while it is not sealed. */
  readonly sealer: Address;
  /** The passport's owner; null when there is no such passport. */
  readonly owner: Address | null;
  /** Whether a suspension stands. Only a reseal ends one: a passport that came back leaves the soul suspended. */
  readonly suspended: boolean;
}

/** Why a suspended soul is not valid, and what ends it: for answers and pages. */
export const SUSPENDED_UNTIL_RESEAL =
  "The passport has left the owner who sealed this soul. It is suspended until the passport's owner reseals it.";

/**
 * Whether the sealer still decides for a soul, as the registry answers it: it owns the passport, and no other owner was recorded
 * since the seal.
 */
export function isWithSealer({ sealer, owner, suspended }: PassportHolding): boolean {
  return !suspended && owner !== null && isAddressEqual(owner, sealer);
}
