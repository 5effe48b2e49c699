import { ApiError } from "../kernel/errors.ts";
import type { ActiveSoul, ChainSoul, ChainSouls, OwnedSoul } from "./chain-soul.ts";
import { ownerOf } from "./chain-soul.ts";
import { byTokenId, noSuchSoul } from "./soul-ref.ts";

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
 * The soul with this token id as the chain has it now, if it meets a condition. The same soul gets
 * the same error from every operation.
 *
 * @throws ApiError NOT_FOUND, BURNED, FORBIDDEN (never sealed), SUSPENDED or CHAIN_UNAVAILABLE.
 */
export async function requireSoul<Condition extends SoulCondition>(
  souls: ChainSouls,
  tokenId: bigint,
  condition: Condition,
): Promise<RequiredSoul[Condition]> {
  const soul = await souls.soul(tokenId);
  if (soul === null) throw noSuchSoul(byTokenId(tokenId));
  return assertSoul(soul, condition);
}

/**
 * As `requireSoul`, of a soul that was read before.
 *
 * @throws ApiError BURNED, FORBIDDEN (never sealed) or SUSPENDED.
 */
export function assertSoul<Condition extends SoulCondition>(
  soul: ChainSoul,
  condition: Condition,
): RequiredSoul[Condition] {
  for (const check of CHECKS[condition]) check(soul);
  return { ...soul, owner: ownerOf(soul) } as ChainSoul as RequiredSoul[Condition];
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
