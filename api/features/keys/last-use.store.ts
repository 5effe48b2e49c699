import type { KeyStandings } from "../../kernel/access.ts";
import { createUseRecorder } from "../../kernel/last-use.ts";
import type { Database } from "../../platform/database/connect.ts";
import { apiKeyStore } from "./api-keys.store.ts";

/** Records the use of keys, by their hashes. */
export type KeyUses = (hash: Buffer) => Promise<void>;

export function createKeyUses(db: Database, clock: () => Date): KeyUses {
  const keys = apiKeyStore(db);
  const record = createUseRecorder(
    (hash, at) => keys.recordUse(Buffer.from(hash, "hex"), at),
    clock,
  );
  return (hash) => record(hash.toString("hex"));
}

/** The same look-ups; one of a key that has not ended counts as its use. */
export function recordedKeys(
  keys: KeyStandings,
  recordUse: KeyUses,
  clock: () => Date,
): KeyStandings {
  return {
    organizationOf: keys.organizationOf,
    async keyStanding(hash) {
      const key = await keys.keyStanding(hash);
      const isLive = key !== null && (key.revokedAt === null || key.revokedAt > clock());
      if (isLive) await recordUse(hash);
      return key;
    },
  };
}
