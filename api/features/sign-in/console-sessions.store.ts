import { and, eq, gt, notExists, sql } from "drizzle-orm";
import { getAddress } from "viem";
import type { UseRecorder } from "../../kernel/last-use.ts";
import type { ConsoleSessions } from "../../kernel/sessions.ts";
import type { Database } from "../../platform/database/connect.ts";
import { consoleCookie, revokedToken, session } from "./tables.ts";

const param = sql.placeholder;

/** Sessions of the console in Postgres. */
export function createConsoleSessions({
  db,
  recordUse,
  clock,
}: {
  readonly db: Database;
  readonly recordUse: UseRecorder;
  readonly clock: () => Date;
}): ConsoleSessions {
  const live = db
    .select({ id: session.id, account: session.holder, expiresAt: session.expiresAt })
    .from(consoleCookie)
    .innerJoin(session, eq(session.id, consoleCookie.sessionId))
    .where(
      and(
        eq(consoleCookie.secretHash, param("secretHash")),
        gt(session.expiresAt, param("at")),
        notExists(
          db
            .select({ jti: revokedToken.jti })
            .from(revokedToken)
            .where(eq(revokedToken.jti, sql`${session.id}::text`)),
        ),
      ),
    )
    .prepare("console_session");

  return {
    async consoleSession(secretHash) {
      const [row] = await live.execute({ secretHash, at: clock() });
      if (row === undefined) return null;
      await recordUse(row.id);
      return { ...row, account: getAddress(row.account) };
    },
  };
}
