import { eq, sql } from "drizzle-orm";
import type { KeyRotationStore } from "../services/key-rotation.ts";
import { apiKeyStore } from "./api-keys.ts";
import type { Database } from "./connect.ts";
import { apiKey } from "./schema.ts";

/** Exchanging API keys, in Postgres. */
export function keyRotationStore(db: Database): KeyRotationStore {
  return {
    rotate: ({ hash, tokenId, epoch, at, endOthersAt }) =>
      db.transaction(async (tx) => {
        // Two rotations at once would not see each other's key, and both keys would live.
        await tx.execute(
          sql`select pg_advisory_xact_lock(hashtextextended(${`api_key:${tokenId}`}, 0))`,
        );
        const [made] = await tx
          .select({ createdAt: apiKey.createdAt })
          .from(apiKey)
          .where(eq(apiKey.hash, hash));
        if (made) return made.createdAt;
        const keys = apiKeyStore(tx);
        await keys.revokeAllOfToken(tokenId, endOthersAt);
        const key = { hash, kind: "live" as const, tokenId, registrationId: null, epoch };
        await keys.insert({ ...key, createdAt: at });
        return at;
      }),
  };
}
