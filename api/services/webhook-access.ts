import { ApiError } from "../errors.ts";
import type { Caller } from "./callers.ts";
import type { ProfileReads } from "./index-reads.ts";

/** Says whether a caller may act for an agent. */
export interface AgentAccess {
  /** @throws ApiError that says what is missing. */
  authorise(
    caller: Caller,
    action: {
      readonly tokenId: bigint;
      /** A full key of the agent, or a session of its owner. */
      readonly rule: "agent";
      readonly effect: "reads" | "writes";
    },
  ): Promise<void>;
}

/**
 * By the caller's key, or, for a session, by whom the index knows as the passport's owner.
 *
 * Throws UNAUTHORIZED for nobody, FULL_KEY_REQUIRED for a provisional key, FORBIDDEN for another agent's key, NOT_OWNER for a
 * session of somebody else, NOT_FOUND for no such agent, SUSPENDED for writes once the passport has moved.
 */
export function createIndexedAccess(agents: Pick<ProfileReads, "profileByTokenId">): AgentAccess {
  return {
    async authorise(caller, { tokenId, effect }) {
      switch (caller.kind) {
        case "anonymous":
          throw new ApiError("UNAUTHORIZED");
        case "provisional":
          throw new ApiError("FULL_KEY_REQUIRED");
        case "full":
          if (caller.tokenId !== tokenId) throw new ApiError("FORBIDDEN");
          if (effect === "writes" && caller.suspended) throw new ApiError("SUSPENDED");
          return;
        case "session": {
          const { value: agent } = await agents.profileByTokenId(tokenId);
          if (agent === null) throw new ApiError("NOT_FOUND");
          if (agent.passport?.owner !== caller.owner) throw new ApiError("NOT_OWNER");
          if (effect === "writes" && agent.soul.sealer !== caller.owner) {
            throw new ApiError("SUSPENDED");
          }
        }
      }
    },
  };
}
