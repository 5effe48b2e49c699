import { ApiError } from "../../../kernel/errors.ts";
import { hashOfSecret } from "../../../kernel/secret-hash.ts";
import { REGISTRATION_TOKEN } from "../agent-registration.ts";
import type { ClaimStore } from "../claims.store.ts";
import { alreadyClaimed, gone } from "./errors.ts";
import type { AgentRegistration } from "./stored.ts";

export type OpenClaims = ReturnType<typeof createOpenClaims>;

/** Registrations of agents, and whether they can still be claimed. */
export function createOpenClaims(store: Pick<ClaimStore, "find">, clock: () => Date) {
  function isGone({ state, expiresAt }: AgentRegistration): boolean {
    return state === "deleted" || (state === "pending" && expiresAt < clock());
  }

  return {
    /** @throws ApiError NOT_FOUND */
    async find(registrationId: string): Promise<AgentRegistration> {
      const found = REGISTRATION_TOKEN.test(registrationId)
        ? await store.find(hashOfSecret(registrationId))
        : null;
      if (found !== null) return found;
      throw new ApiError("NOT_FOUND", { message: "There is no registration with this id." });
    },

    /** @throws ApiError GONE when it expired unclaimed. */
    assertThere(registration: AgentRegistration): void {
      if (isGone(registration)) throw gone();
    },

    /** @throws ApiError GONE, ALREADY_CLAIMED */
    assertOpen(registration: AgentRegistration): void {
      if (isGone(registration)) throw gone();
      if (registration.state !== "pending") throw alreadyClaimed(registration.name);
    },
  };
}
