import { eq } from "drizzle-orm";
import type { Database, Executor } from "../../platform/database/connect.ts";
import { apiKeyStore, lockKeysOf } from "../keys/index.ts";
import { endSessionsOf } from "../sign-in/index.ts";
import type { WebhookEpochs } from "../webhooks/index.ts";
import type { StopStore } from "./stop.ts";
import { emergencyStop } from "./tables.ts";

export interface StopStoreOptions {
  readonly db: Database;
  readonly webhookEpochs: Pick<WebhookEpochs<Executor>, "stopped">;
  readonly clock: () => Date;
}

/** Emergency stops in Postgres. */
export function createStopStore({
  db,
  webhookEpochs,
  clock,
}: StopStoreOptions): StopStore<Executor> {
  return {
    async stop(tx, { stopId, tokenId, epoch, passportId, owner }, authority) {
      // A rotation or an exchange in the meantime would issue a key that this stop does not see.
      await lockKeysOf(tx, tokenId);
      const [known] = await tx.select().from(emergencyStop).where(eq(emergencyStop.id, stopId));
      if (known !== undefined) return known;
      const at = clock();
      const record = {
        stoppedAt: at,
        apiKeys: await apiKeyStore(tx).revokeAllOfToken(tokenId, at),
        sessions: await endSessionsOf(tx, { passportId, owner, at }),
        webhooks: await webhookEpochs.stopped(tx, { tokenId, epoch, at }),
      };
      await tx.insert(emergencyStop).values({
        ...record,
        id: stopId,
        tokenId,
        epoch,
        authority,
      });
      return record;
    },

    async find(stopId) {
      const [row] = await db.select().from(emergencyStop).where(eq(emergencyStop.id, stopId));
      if (row === undefined) throw new Error(`There is no emergency stop ${stopId}.`);
      return row;
    },
  };
}
