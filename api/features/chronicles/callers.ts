import { isAddressEqual } from "viem";
import { assertReaches, manageRequired } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import type { ChronicleDraft } from "./content.ts";

/**
 * Whether a caller may record for a soul without its owner's signature: the agent's full key, or
 * its live owner's session.
 *
 * @throws ApiError UNAUTHORIZED, FULL_KEY_REQUIRED, MANAGE_SCOPE_REQUIRED, FORBIDDEN, SUSPENDED or
 * NOT_OWNER.
 */
export function authoriseChronicle(caller: Caller, soul: ChainSoul): "api_key" | "session" {
  switch (caller.kind) {
    case "anonymous":
      throw new ApiError("UNAUTHORIZED");
    case "provisional":
      throw new ApiError("FULL_KEY_REQUIRED");
    case "identity":
      throw manageRequired();
    case "full":
      if (caller.tokenId !== soul.tokenId) {
        throw new ApiError("FORBIDDEN", { message: "This key belongs to another agent." });
      }
      if (caller.suspended) throw new ApiError("SUSPENDED");
      return "api_key";
    case "session": {
      const owner = soul.status === "SEALED" ? ownerOf(soul) : null;
      if (owner === null || !isAddressEqual(caller.owner, owner)) throw new ApiError("NOT_OWNER");
      assertReaches(caller, soul.passportId);
      return "session";
    }
  }
}

/** Rejects a mandatory chronicle without the owner's signature, from any caller. */
export function assertNeedsNoSignature(draft: ChronicleDraft): void {
  if (draft.effect.kind === "none") return;
  const { changeType } = draft;
  throw signatureRequired("chronicle", `A chronicle of ${changeType}`, { changeType });
}
