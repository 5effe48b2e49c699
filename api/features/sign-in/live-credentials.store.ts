import { eq } from "drizzle-orm";
import type { AssertLive } from "../../kernel/access.ts";
import { ApiError } from "../../kernel/errors.ts";
import { apiKeyStore } from "../keys/index.ts";
import { revokedToken } from "./tables.ts";

/** Looks a request's credential up again, in the transaction that issues something for it. */
export function liveCredentials(clock: () => Date): AssertLive {
  return async (tx, credential) => {
    if (credential.kind === "session") {
      const { sessionId } = credential;
      const revoked = await tx.select().from(revokedToken).where(eq(revokedToken.jti, sessionId));
      if (revoked.length > 0) throw new ApiError("UNAUTHORIZED");
      return;
    }
    const key = await apiKeyStore(tx).find(credential.hash);
    // Written as "is still valid", so that an invalid date ends the key.
    const isLive = key !== null && (key.revokedAt === null || key.revokedAt > clock());
    if (!isLive) throw new ApiError("UNAUTHORIZED");
  };
}
