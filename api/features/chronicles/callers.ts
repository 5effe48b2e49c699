import { isAddressEqual } from "viem";
import { assertReaches, manageRequired } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError } from "../../kernel/errors.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import type { ChronicleDraft, ChronicleSoul } from "./content.ts";

/**
 * Whether a caller may record for a soul without its owner's signature: the agent's full key, or its live owner's session.
 *
 * @throws ApiError UNAUTHORIZED, FULL_KEY_REQUIRED, MANAGE_SCOPE_REQUIRED, FORBIDDEN, SUSPENDED or NOT_OWNER.
 */
export function authoriseChronicle(
  caller: Caller,
  soul: Pick<ChronicleSoul, "tokenId" | "passportId" | "owner">,
): "api_key" | "session" {
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
    case "session":
      if (soul.owner === null || !isAddressEqual(caller.owner, soul.owner)) {
        throw new ApiError("NOT_OWNER");
      }
      assertReaches(caller, soul.passportId);
      return "session";
  }
}

/** Rejects a mandatory chronicle without the owner's signature, from any caller. */
export function assertNeedsNoSignature(draft: ChronicleDraft): void {
  if (draft.effect.kind === "none") return;
  const { changeType } = draft;
  throw signatureRequired("chronicle", `A chronicle of ${changeType}`, { changeType });
}

/**
 * Refuses a soul whose life is not being recorded.
 *
 * @throws ApiError NOT_FOUND, BURNED, FORBIDDEN (never sealed) or SUSPENDED.
 */
export function assertActive(soul: ChronicleSoul): asserts soul is ChronicleSoul & {
  readonly owner: NonNullable<ChronicleSoul["owner"]>;
} {
  if (soul.status === "NONE") throw new ApiError("NOT_FOUND");
  if (soul.status === "BURNED") throw new ApiError("BURNED");
  if (soul.status === "PROVISIONAL") {
    throw new ApiError("FORBIDDEN", { message: "This soul is not sealed yet." });
  }
  if (soul.owner === null) throw new ApiError("SUSPENDED");
}
