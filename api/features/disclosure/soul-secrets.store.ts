import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import { soulSecret } from "../../soul/tables.ts";

/** The salts of souls, encrypted, with their leaves. */
export function createSoulSecrets(db: Database) {
  return {
    async of({ tokenId, epoch }: SoulEpoch) {
      const [row] = await db
        .select()
        .from(soulSecret)
        .where(and(eq(soulSecret.tokenId, tokenId), eq(soulSecret.epoch, epoch)));
      if (row === undefined) return null;
      const { soulHash, saltEncrypted, leaves } = row;
      return { soulHash, saltEncrypted, leaves };
    },
  };
}
