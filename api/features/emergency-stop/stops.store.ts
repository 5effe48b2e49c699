import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { unfinishedClaim } from "../claims/index.ts";
import { apiKeyStore, lockKeysOf, type WasStopped } from "../keys/index.ts";
import { endSessionsOf } from "../sign-in/index.ts";
import type { WebhookEpochs } from "../webhooks/index.ts";
import type { StopStore } from "./stop.ts";
import { emergencyStop } from "./tables.ts";

/** See `WasStopped`. What begins an epoch and is finished after a stop asks, under the lock of the agent's keys. */
export const wasStopped: WasStopped = async (tx, { tokenId, epoch }) => {
  const stops = await tx
    .select({ id: emergencyStop.id })
    .from(emergencyStop)
    .where(and(eq(emergencyStop.tokenId, tokenId), eq(emergencyStop.epoch, epoch)))
    .limit(1);
  return stops.length > 0;
};

/** Emergency stops in Postgres. */
export function createStopStore({
  db,
  webhookEpochs,
  clock,
}: {
  readonly db: Database;
  readonly webhookEpochs: Pick<WebhookEpochs, "stopped">;
  readonly clock: () => Date;
}): StopStore {
  return {
    async stop(tx, { stopId, tokenId, name, epoch, passportId, owner }, authority) {
      // A rotation or an exchange in the meantime would issue a key that this stop does not see.
      await lockKeysOf(tx, tokenId);
      const [known] = await tx.select().from(emergencyStop).where(eq(emergencyStop.id, stopId));
      if (known !== undefined) return known;
      const at = clock();
      const keys = apiKeyStore(tx);
      // Until a claim is finished, what its agent holds belongs to the registration.
      const registrationId = await unfinishedClaim(tx, name);
      const ofRegistration =
        registrationId === null ? 0 : await keys.revokeAllOfRegistration(registrationId, at);
      const record = {
        stoppedAt: at,
        apiKeys: (await keys.revokeAllOfToken(tokenId, at)) + ofRegistration,
        sessions: await endSessionsOf(tx, { passportId, owner, at }),
        webhooks: await webhookEpochs.stopped(tx, { tokenId, epoch, registrationId, at }),
      };
      await tx.insert(emergencyStop).values({ ...record, id: stopId, tokenId, epoch, authority });
      return record;
    },

    async find(stopId) {
      const [row] = await db.select().from(emergencyStop).where(eq(emergencyStop.id, stopId));
      if (row === undefined) throw new Error(`There is no emergency stop ${stopId}.`);
      return row;
    },
  };
}
