import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database/connect.ts";
import { soulSecret } from "../../soul/tables.ts";
import type { SealedLeaves } from "./proving.ts";

/** The salts of souls, encrypted, with their leaves. */
export function createSoulSecrets(db: Database): SealedLeaves {
  return {
    async of({ tokenId, epoch }) {
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
