import { authoriseOn, type Effect } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";

/**
 * Lets a caller act on a soul as it was read, in the very epoch of the caller's credential.
 *
 * @throws ApiError of `authoriseOn`; UNAUTHORIZED for a key of another epoch.
 */
export function authoriseInEpoch(soul: ChainSoul, caller: Caller, effect: Effect): void {
  authoriseOn(soul, caller, effect);
  // A key ends with its epoch, also while the index has not seen the next one.
  if (caller.kind === "full" && caller.epoch !== soul.epoch) {
    throw new ApiError("UNAUTHORIZED");
  }
}
