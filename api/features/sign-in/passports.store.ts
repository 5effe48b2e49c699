import type { ChainReads } from "../../soul/indexed.store.ts";
import type { PassportIndex } from "./passport-choice.ts";

/** The index as sign-in asks it which passports a wallet may hold. */
export function passportIndex(reads: Pick<ChainReads, "passportsOfOwner">): PassportIndex {
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
  };
}
