import { sql } from "drizzle-orm";
import type { Database } from "../../../platform/database/connect.ts";
import { revokedToken } from "../tables.ts";

/** Most dead rows that one revocation removes: more than it adds, so that the table shrinks. */
const SWEPT = 20;

const param = sql.placeholder;

/** Remembers revoked tokens until each expires. */
export function rememberRevoked(db: Database) {
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

  return async (id: string, until: Date, at: Date): Promise<void> => {
    await revoke.execute({ jti: id, expiresAt: until, at });
  };
}
