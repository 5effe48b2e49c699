import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { registration } from "../../soul/tables.ts";
import type { ProvisionalKeys } from "../keys/index.ts";
import { apiKey } from "../keys/index.ts";
import { agentRegistration } from "./tables.ts";

/** Provisional keys with the registration that issued them, in Postgres. */
export function createProvisionalKeys(db: Database): ProvisionalKeys {
  return {
    async findProvisional(hash) {
      const [row] = await db
        .select({
          id: apiKey.id,
          tokenId: apiKey.tokenId,
          epoch: apiKey.epoch,
          revokedAt: apiKey.revokedAt,
          exchangedAt: apiKey.exchangedAt,
          registration: {
            state: agentRegistration.state,
            expiresAt: agentRegistration.expiresAt,
            endedAt: agentRegistration.endedAt,
            publicId: sql<string | null>`${registration.payload} #>> '{origin,publicId}'`,
          },
        })
        .from(apiKey)
        .innerJoin(agentRegistration, eq(agentRegistration.id, apiKey.registrationId))
        .leftJoin(registration, eq(registration.id, agentRegistration.claimId))
        .where(and(eq(apiKey.hash, hash), eq(apiKey.kind, "provisional")));
      return row ?? null;
    },
  };
}
