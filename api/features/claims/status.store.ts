import { eq, sql } from "drizzle-orm";
import { getAddress } from "viem";
import type { Database } from "../../platform/database/connect.ts";
import type { RegistrationStatuses } from "./status.ts";
import { agentRegistration } from "./tables.ts";

/** The state of agents' registrations, in Postgres. */
export function registrationStatusStore(db: Database, clock: () => Date): RegistrationStatuses {
  const find = db
    .select({
      name: agentRegistration.name,
      state: agentRegistration.state,
      expiresAt: agentRegistration.expiresAt,
      tokenId: agentRegistration.tokenId,
      owner: agentRegistration.owner,
    })
    .from(agentRegistration)
    .where(eq(agentRegistration.tokenHash, sql.placeholder("tokenHash")))
    .prepare("registration_status");
  return {
    async registrationStatus(tokenHash) {
      const [row] = await find.execute({ tokenHash });
      if (!row) return null;
      const { name: agentName, state, expiresAt, tokenId, owner } = row;
      if (state === "claimed" && tokenId !== null && owner !== null) {
        return { status: "claimed", tokenId, agentName, ownerAddress: getAddress(owner) };
      }
      const isOver = state === "deleted" || (state === "pending" && expiresAt < clock());
      return { status: isOver ? "deleted" : "pending_owner_claim" };
    },
  };
}
