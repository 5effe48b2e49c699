import { ApiError } from "../kernel/errors.ts";
import type { ActiveSoul, ChainSoul, OwnedSoul } from "./chain-soul.ts";
import { ownerOf } from "./chain-soul.ts";

/** What a soul is known to be once a condition holds. */
interface RequiredSoul {
  registered: ChainSoul;
  live: ChainSoul & { readonly status: "PROVISIONAL" | "SEALED" };
  sealed: ChainSoul & { readonly status: "SEALED" };
  owned: OwnedSoul;
  active: ActiveSoul;
}

/**
 * What an operation asks of a soul.
 *
 * - `registered`: it was registered, burned or not.
 * - `live`: it is not burned.
 * - `sealed`: it is sealed, and not burned. It may be suspended.
 * - `owned`: it is not burned, its sealer owns the passport, and no suspension stands.
 * - `active`: both `sealed` and `owned`.
 */
export type SoulCondition = keyof RequiredSoul;

/** The checks of each condition, in the order in which they are made. */
const CHECKS: Readonly<Record<SoulCondition, readonly ((soul: ChainSoul) => void)[]>> = {
  registered: [],
  live: [refuseBurned],
  sealed: [refuseBurned, refuseProvisional],
  owned: [refuseBurned, refuseSuspended],
  active: [refuseBurned, refuseProvisional, refuseSuspended],
};

/**
 * The soul, when it meets a condition. The same soul gets the same error from every operation.
 *
 * @param soul As the chain has it; null for a token id that was never given.
 * @throws ApiError NOT_FOUND, BURNED, FORBIDDEN (never sealed) or SUSPENDED.
 */
export function requireSoul<Condition extends SoulCondition>(
  soul: ChainSoul | null,
  tokenId: bigint,
  condition: Condition,
): RequiredSoul[Condition] {
  if (soul === null) throw noSuchSoul(tokenId);
  for (const check of CHECKS[condition]) check(soul);
  return { ...soul, owner: ownerOf(soul) } as ChainSoul as RequiredSoul[Condition];
}

/** For a token id that was never given, and for an agent that is gone. */
export function noSuchSoul(tokenId: bigint): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no agent with token id ${tokenId}.` });
}

function refuseBurned({ status }: ChainSoul): void {
  if (status === "BURNED") throw new ApiError("BURNED");
}

function refuseProvisional({ status }: ChainSoul): void {
  if (status === "PROVISIONAL") {
    throw new ApiError("FORBIDDEN", { message: "This soul is not sealed yet." });
  }
}

function refuseSuspended(soul: ChainSoul): void {
  if (ownerOf(soul) === null) throw new ApiError("SUSPENDED");
}
