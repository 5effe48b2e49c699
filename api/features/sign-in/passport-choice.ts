import { type Address, isAddressEqual } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { Tier } from "../../kernel/scopes.ts";
import type {
  ChainPassport,
  ChainPassports,
  ChainPoint,
  HolderState,
} from "../../soul/chain-soul.ts";
import type { IndexedPassport, Reading } from "../../soul/index-reads.ts";
import { isWithSealer } from "../../soul/with-sealer.ts";

/**
 * Most passports of one wallet that are looked at: a stranger can give a wallet any number of them.
 */
const MAX_CANDIDATES = 50;

/** A passport that the index believes a wallet holds, and since which block without a break. */
export type HeldPassport = Pick<IndexedPassport, "id" | "ownerSinceBlock">;

/** Which passports to ask the chain about. Only a hint: ownership is confirmed live. */
export interface PassportIndex {
  /**
   * At most `limit` passports of `owner`: those of souls that it sealed first, then the longest held. Rejects with
   * REGISTRY_PENDING while nothing is indexed.
   */
  passportsOfOwner(owner: Address, limit: number): Promise<Reading<readonly HeldPassport[]>>;
}

/** A passport that came to a wallet. */
export interface ReceivedPassport {
  readonly id: bigint;
  /** Block of the transfer. */
  readonly since: bigint;
}

/** Transfers of passports. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface PassportArrivals {
  /**
   * Passports that others sent or minted to `holder` in the blocks from `from` to `to`, the
   * earliest first, each with its last arrival. Looks at no more than the last blocks of a range
   * that is too long.
   */
  passportsReceived(
    holder: Address,
    from: bigint,
    to: bigint,
  ): Promise<readonly ReceivedPassport[]>;
}

/** A passport its holder signs in with, and the block at which that was true. */
export interface ConfirmedPassport {
  readonly passport: ChainPassport;
  readonly tier: Tier;
  readonly block: bigint;
  readonly blockTime: bigint;
}

export interface PassportSources {
  readonly live: ChainPassports & PassportArrivals;
  readonly index: PassportIndex;
}

/** The tier that owning `passport` gives `holder`. A provisional or suspended soul adds nothing. */
export function tierOf(passport: ChainPassport, holder: Address): Tier {
  const { soul } = passport;
  if (soul?.validity !== "valid" || !isWithSealer({ ...soul, owner: holder })) return 1;
  return soul.humanVerified ? 3 : 2;
}

/**
 * The passport `agentId`, confirmed to be `holder`'s.
 *
 * @throws ApiError NOT_OWNER or CHAIN_UNAVAILABLE.
 */
export async function confirmPassport(
  live: Pick<ChainPassports, "passport">,
  holder: Address,
  agentId: bigint,
): Promise<ConfirmedPassport> {
  const passport = await live.passport(agentId);
  if (!isOwned(passport, holder)) throw new ApiError("NOT_OWNER", { details: { agentId } });
  return confirmed(passport, holder, passport);
}

/**
 * The passport that `holder` signs in with when it names none: the one of the highest tier, then
 * the one held longest. Receiving an unwanted passport must not change the receiver's identity.
 *
 * @throws ApiError NOT_OWNER, REGISTRY_PENDING or CHAIN_UNAVAILABLE.
 */
export async function choosePassport(
  { live, index }: PassportSources,
  holder: Address,
): Promise<ConfirmedPassport> {
  const { at, value: held } = await index.passportsOfOwner(holder, MAX_CANDIDATES);
  // A row with an owner has the block of the transfer that made it one.
  const since = new Map(held.map(({ id, ownerSinceBlock }) => [id, ownerSinceBlock ?? at.block]));
  let state = await live.passportStates(holder, answerable(since.keys()));

  const known = owned(state, holder).length;
  if (known < MAX_CANDIDATES && BigInt(known) < state.passportCount) {
    const received = await live.passportsReceived(holder, at.block + 1n, state.block);
    if (received.length > 0) {
      // The confirmed ones first: what arrived lately may be a flood of gifts.
      const candidates = new Set(owned(state, holder).map(({ id }) => id));
      for (const passport of received) {
        since.set(passport.id, passport.since);
        candidates.add(passport.id);
      }
      state = await live.passportStates(holder, answerable(candidates));
    }
  }

  const [best] = owned(state, holder).sort((a, b) => {
    const byTier = tierOf(b, holder) - tierOf(a, holder);
    return byTier || compare(heldSince(a), heldSince(b)) || compare(a.id, b.id);
  });
  if (!best) throw noPassport(state);
  return confirmed(best, holder, state);

  function heldSince(passport: ChainPassport): bigint {
    return since.get(passport.id) ?? state.block;
  }
}

/** Ids above 2^53-1 would be rounded in the answer, and name another agent. */
function answerable(ids: Iterable<bigint>): bigint[] {
  return [...ids].filter((id) => id <= Number.MAX_SAFE_INTEGER).slice(0, MAX_CANDIDATES);
}

function owned(state: HolderState, holder: Address): ChainPassport[] {
  return state.passports.filter((passport) => isOwned(passport, holder));
}

function isOwned({ owner }: ChainPassport, holder: Address): boolean {
  return owner !== null && isAddressEqual(owner, holder);
}

function confirmed(
  passport: ChainPassport,
  holder: Address,
  { block, blockTime }: ChainPoint,
): ConfirmedPassport {
  return { passport, tier: tierOf(passport, holder), block, blockTime };
}

function noPassport(state: HolderState): ApiError {
  if (state.passportCount === 0n) {
    return new ApiError("NOT_OWNER", { message: "This address owns no passport." });
  }
  return new ApiError("NOT_OWNER", {
    message: "None of this address's passports is in the index: name one with `agentId`.",
    details: { passportCount: state.passportCount },
  });
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
