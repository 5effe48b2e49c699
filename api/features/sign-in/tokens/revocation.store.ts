import { sql } from "drizzle-orm";
import type { Database } from "../../../platform/database/connect.ts";
import { revokedToken } from "../tables.ts";
import type { RevokedTokens } from "./revocation.ts";

/** Most dead rows that one revocation removes: more than it adds, so that the table shrinks. */
const SWEPT = 20;

const param = sql.placeholder;

/** Revoked tokens in Postgres, until each expires. */
export function revokedTokenStore(db: Database): RevokedTokens {
  const { jti, expiresAt } = revokedToken;
  const swept = db.$with("swept").as(
    db
      .delete(revokedToken)
      .where(
        sql`${jti} in (select ${jti} from ${revokedToken} where ${expiresAt} < ${param("at")}
          order by ${expiresAt} limit ${sql.raw(String(SWEPT))} for update skip locked)`,
      )
      .returning({ jti }),
  );
  const revoke = db
    .with(swept)
    .insert(revokedToken)
    .values({ jti: param("jti"), expiresAt: param("expiresAt") })
    .onConflictDoNothing()
    .prepare("sign_in_revoke_token");

  return {
    async revoke(id, until, at) {
      await revoke.execute({ jti: id, expiresAt: until, at });
    },
  };
}
