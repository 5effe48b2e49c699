import { eq, sql } from "drizzle-orm";
import { getAddress } from "viem";
import type { Database } from "../../platform/database/connect.ts";
import { agentRegistration } from "./tables.ts";

export type RegistrationStatuses = ReturnType<typeof registrationStatusStore>;

/** How far registrations are that agents began, in Postgres. */
export function registrationStatusStore(db: Database, clock: () => Date) {
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
    /** The public state of a registration; null for an unknown id. */
    async of(tokenHash: Buffer) {
      const [row] = await find.execute({ tokenHash });
      if (!row) return null;
      const { name: agentName, state, expiresAt, tokenId, owner } = row;
      if (state === "claimed" && tokenId !== null && owner !== null) {
        const status: "claimed" = "claimed";
        return { status, tokenId, agentName, ownerAddress: getAddress(owner) };
      }
      // It was not claimed in time: its name is free, or will be soon.
      const isOver = state === "deleted" || (state === "pending" && expiresAt < clock());
      const status: "deleted" | "pending_owner_claim" = isOver ? "deleted" : "pending_owner_claim";
      return { status, tokenId: null };
    },
  };
}
