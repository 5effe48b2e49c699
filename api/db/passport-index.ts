import type { StandingIndex } from "../services/introspection.ts";
import type { PassportIndex } from "../services/passport-choice.ts";
import type { ChainReads } from "./chain.ts";

/** The index as sign-in and introspection ask it. */
export function passportIndex(
  reads: Pick<ChainReads, "passport" | "passportsOfOwner" | "profileByTokenId">,
): PassportIndex & StandingIndex {
  return {
    async passportsOfOwner(owner, limit) {
      const { at, value } = await reads.passportsOfOwner(owner, limit);
      return {
        indexedBlock: at.block,
        // A row with an owner has the block of the transfer that made it one.
        passports: value.map(({ id, ownerSinceBlock }) => ({
          id,
          since: ownerSinceBlock ?? at.block,
        })),
      };
    },

    async passportStanding(passportId, tokenId) {
      if (tokenId === null) {
        const { value } = await reads.passport(passportId);
        return { ownerSinceBlock: value?.ownerSinceBlock ?? null, soulStatus: null };
      }
      // A soul's passport never changes, so that one row answers for both.
      const { value } = await reads.profileByTokenId(tokenId);
      return {
        ownerSinceBlock: value?.passport?.ownerSinceBlock ?? null,
        soulStatus: value?.soul.status ?? null,
      };
    },
  };
}
