import { eq, sql } from "drizzle-orm";
import { getAddress } from "viem";
import type { RegistrationStatuses } from "../services/registration-status.ts";
import type { Database } from "./connect.ts";
import { registration } from "./schema.ts";

/** How far registrations are, from Postgres. */
export function registrationStatusStore(db: Database): RegistrationStatuses {
  const find = db
    .select({
      name: registration.name,
      owner: registration.owner,
      state: registration.state,
      tokenId: sql<string | null>`${registration.result} ->> 'tokenId'`,
    })
    .from(registration)
    .where(eq(registration.id, sql.placeholder("id")))
    .prepare("registration_status");
  return {
    async registrationStatus(id) {
      const [row] = await find.execute({ id });
      if (!row) return null;
      if (row.state !== "complete" || row.tokenId === null) {
        return { status: "pending_owner_claim" };
      }
      return {
        status: "claimed",
        tokenId: BigInt(row.tokenId),
        agentName: row.name,
        ownerAddress: getAddress(row.owner),
      };
    },
  };
}
