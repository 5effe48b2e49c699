import { and, desc, eq, gt, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { pageOf } from "../../../kernel/list-pages.ts";
import type { Database, Executor } from "../../../platform/database/connect.ts";
import { rowsAfter } from "../../../platform/database/keyset.ts";
import { revokedToken, session, signInNonce } from "../tables.ts";
import { NO_PASSPORT, type SessionStore, type SessionsOf } from "./sessions.ts";

/** Sessions that reach an agent: they name its passport, or manage every agent of its owner. */
function reaching({ holder, passportId }: SessionsOf) {
  return or(
    eq(session.passportId, passportId),
    and(eq(session.holder, holder.toLowerCase()), eq(session.manages, "account")),
  );
}

function isRevoked(db: Executor) {
  return db
    .select({ jti: revokedToken.jti })
    .from(revokedToken)
    .where(eq(revokedToken.jti, sql`${session.id}::text`));
}

/** Live sessions in Postgres. */
export function createSessionStore(db: Database): SessionStore {
  return {
    async list(of, { limit, after }, at) {
      const isAfter = rowsAfter(after, "desc", (last) => [
        [session.openedAt, last.openedAt],
        [session.id, last.id],
      ]);
      const rows = await db
        .select()
        .from(session)
        .where(
          and(
            reaching(of),
            eq(session.holder, of.holder.toLowerCase()),
            isNotNull(session.openedAt),
            gt(session.expiresAt, at),
            notExists(isRevoked(db)),
            isAfter,
          ),
        )
        .orderBy(desc(session.openedAt), desc(session.id))
        .limit(limit + 1);
      const opened = rows.map((row) => ({
        ...row,
        passportId: row.passportId === NO_PASSPORT ? null : row.passportId,
        openedAt: row.openedAt ?? row.expiresAt,
      }));
      return pageOf(opened, limit, ({ openedAt, id }) => ({ openedAt, id }));
    },

    async end(sessionId, { holder, passportId }) {
      const isOwn = eq(session.holder, holder.toLowerCase());
      const isReached = passportId === null ? undefined : reaching({ holder, passportId });
      const found = await db
        .insert(revokedToken)
        .select(
          db
            .select({ jti: sql`${session.id}::text`.as("jti"), expiresAt: session.expiresAt })
            .from(session)
            .where(and(eq(session.id, sessionId), isOwn, isReached)),
        )
        .onConflictDoUpdate({
          target: revokedToken.jti,
          set: { expiresAt: sql`excluded.expires_at` },
        })
        .returning({ jti: revokedToken.jti });
      return found.length === 1;
    },

    async endAll(holder, at) {
      await db.transaction((tx) => endSessionsOf(tx, { owner: holder, passportId: null, at }));
    },
  };
}

/**
 * Ends all sessions that reach an agent, those of unredeemed codes too, and the owner's open
 * challenges: one that is signed already would open another session. With `passportId: null` it
 * ends all sessions of the account. Resolves to how many sessions.
 */
export async function endSessionsOf(
  tx: Executor,
  {
    owner,
    passportId,
    at,
  }: { readonly owner: string; readonly passportId: bigint | null; readonly at: Date },
): Promise<number> {
  // First: a challenge that is being answered now is waited for, and its session then seen.
  await tx
    .update(signInNonce)
    .set({ usedAt: at })
    .where(
      and(sql`lower(${signInNonce.address}) = ${owner.toLowerCase()}`, isNull(signInNonce.usedAt)),
    );
  const isReached =
    passportId === null
      ? eq(session.holder, owner.toLowerCase())
      : reaching({ holder: owner, passportId });
  const ended = await tx
    .insert(revokedToken)
    .select(
      tx
        .select({
          jti: sql`${session.id}::text`.as("jti"),
          // A code that is redeemed later has a token that ends later.
          expiresAt: sql<Date>`${session.expiresAt} + interval '1 hour'`.as("expires_at"),
        })
        .from(session)
        .where(and(isReached, gt(session.expiresAt, at))),
    )
    .onConflictDoNothing()
    .returning({ jti: revokedToken.jti });
  return ended.length;
}

/** Records that the token of a session was presented. */
export async function recordSessionUse(db: Database, id: string, at: Date): Promise<void> {
  await db
    .update(session)
    .set({ lastUsedAt: at })
    .where(
      and(eq(session.id, id), or(sql`${session.lastUsedAt} is null`, lt(session.lastUsedAt, at))),
    );
}
