import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { inBatches, readInBatches } from "../../kernel/batches.ts";
import type { Database } from "../../platform/database/connect.ts";
import { isDatabaseUnavailable } from "../../platform/database/unavailable.ts";
import type { SignInSession } from "./profile.ts";
import type { NewAuthCode, OpenedConsole, SignInStore } from "./sign-in.ts";
import { authCode, consoleCookie, session as sessionTable, signInNonce } from "./tables.ts";
import { NO_PASSPORT } from "./tokens/sessions.ts";

/**
 * Rows outlive their expiry by this time, so that a value used twice is reported as used, not
 * expired.
 */
const KEPT_MS = 60 * 60 * 1000;

/**
 * Most rows of each table that one challenge removes: more than it adds, so that the tables shrink.
 */
const SWEPT = 20;

const param = sql.placeholder;

/** Stores a nonce, and removes some rows that have expired. */
function issueStatement(db: Database) {
  // Two sweepers never wait for each other, nor for a request that is using a row up.
  const expired = (table: PgTable, key: AnyPgColumn, expiresAt: AnyPgColumn) =>
    sql`${key} in (select ${key} from ${table} where ${expiresAt} < ${param("sweepBefore")}
      order by ${expiresAt} limit ${sql.raw(String(SWEPT))} for update skip locked)`;
  const sweptNonces = db.$with("swept_nonces").as(
    db
      .delete(signInNonce)
      .where(expired(signInNonce, signInNonce.nonce, signInNonce.expiresAt))
      .returning({ nonce: signInNonce.nonce }),
  );
  const sweptCodes = db.$with("swept_codes").as(
    db
      .delete(authCode)
      .where(expired(authCode, authCode.codeHash, authCode.expiresAt))
      .returning({ codeHash: authCode.codeHash }),
  );
  const sweptSessions = db.$with("swept_sessions").as(
    db
      .delete(sessionTable)
      .where(expired(sessionTable, sessionTable.id, sessionTable.expiresAt))
      .returning({ id: sessionTable.id }),
  );
  return db
    .with(sweptNonces, sweptCodes, sweptSessions)
    .insert(signInNonce)
    .values({
      nonce: param("nonce"),
      flow: param("flow"),
      address: param("address"),
      // Not encoded as the column would: it may be null.
      agentId: sql`${param("agentId")}`,
      chainId: param("chainId"),
      scopes: param("scopes"),
      minTier: param("minTier"),
      audience: param("audience"),
      message: param("message"),
      expiresAt: param("expiresAt"),
    })
    .prepare("sign_in_issue");
}

/** Uses a nonce up and opens its session, for a code or for a cookie. */
function consumeStatements(db: Database) {
  // Of two that update one row, the second waits for the first and then finds it used.
  const useUp = db
    .update(signInNonce)
    .set({ usedAt: sql`${param("at")}` })
    .where(
      and(
        eq(signInNonce.nonce, param("nonce")),
        isNull(signInNonce.usedAt),
        gt(signInNonce.expiresAt, param("at")),
      ),
    )
    .returning({ nonce: signInNonce.nonce });
  const consumed = db.$with("consumed").as(useUp);
  const openSessionRow = () =>
    db
      .select({
        id: sql`${param("sessionId")}::uuid`.as("id"),
        holder: sql`${param("holder")}::text`.as("holder"),
        passportId: sql`${param("passportId")}::bigint`.as("passport_id"),
        manages: sql`${param("manages")}::text`.as("manages"),
        audience: sql`${param("audience")}::text`.as("audience"),
        scopes: sql`${param("scopes")}::text[]`.as("scopes"),
        openedAt: sql`${param("openedAt")}::timestamptz`.as("opened_at"),
        expiresAt: sql`${param("sessionEndsAt")}::timestamptz`.as("expires_at"),
        lastUsedAt: sql`null::timestamptz`.as("last_used_at"),
      })
      .from(consumed);
  const opened = db
    .$with("opened")
    .as(db.insert(sessionTable).select(openSessionRow()).returning({ id: sessionTable.id }));
  const consumeForCode = db
    .with(consumed, opened)
    .insert(authCode)
    .select(
      db
        .select({
          codeHash: sql`${param("codeHash")}::bytea`.as("code_hash"),
          session: sql`${sql.param(param("session"), authCode.session)}::jsonb`.as("session"),
          expiresAt: sql`${param("expiresAt")}::timestamptz`.as("expires_at"),
          usedAt: sql`null::timestamptz`.as("used_at"),
        })
        .from(consumed),
    )
    .returning({ codeHash: authCode.codeHash })
    .prepare("sign_in_consume_for_code");
  const consumeForCookie = db
    .with(consumed, opened)
    .insert(consoleCookie)
    .select(
      db
        .select({
          secretHash: sql`${param("secretHash")}::bytea`.as("secret_hash"),
          sessionId: sql`${param("sessionId")}::uuid`.as("session_id"),
        })
        .from(consumed),
    )
    .returning({ sessionId: consoleCookie.sessionId })
    .prepare("sign_in_consume_for_cookie");
  return { consumeForCode, consumeForCookie };
}

/** One sign-in of a batch, as JSON. */
interface Consumption {
  readonly nonce: string;
  readonly at: Date;
  readonly sessionId: string;
  readonly holder: string;
  /** In decimal. */
  readonly passportId: string;
  readonly manages: SignInSession["manages"];
  readonly audience: string;
  readonly scopes: SignInSession["scopes"];
  readonly sessionEndsAt: Date;
}

/**
 * Uses the nonces of several sign-ins up and opens their sessions. Resolves to whether it did. Each row of
 * a nonce is updated once, also for a nonce that two sign-ins of a batch name: one of them opens its
 * session. Rows are locked in one order, so that two batches with the same nonces never wait for
 * each other.
 */
function consumeInBatches(db: Database) {
  const wanted = sql`json_to_recordset(${param("items")}::json) as wanted(
    nonce text, at timestamptz, "sessionId" uuid, holder text, "passportId" bigint, manages text,
    audience text, scopes text[], "sessionEndsAt" timestamptz)`;
  const locked = sql`select ${signInNonce.nonce} from ${signInNonce}
    where ${signInNonce.nonce} = any(${param("nonces")}::text[])
    order by ${signInNonce.nonce} for update`;
  const consumed = db.$with("consumed").as(
    db
      .update(signInNonce)
      .set({ usedAt: sql`wanted.at` })
      .from(wanted)
      .where(
        and(
          sql`${signInNonce.nonce} in (${locked})`,
          sql`${signInNonce.nonce} = wanted.nonce`,
          isNull(signInNonce.usedAt),
          sql`${signInNonce.expiresAt} > wanted.at`,
        ),
      )
      .returning({
        id: sql<string>`wanted."sessionId"`.as("id"),
        holder: sql<string>`wanted.holder`.as("holder"),
        passportId: sql<bigint>`wanted."passportId"`.as("passport_id"),
        manages: sql<SignInSession["manages"]>`wanted.manages`.as("manages"),
        audience: sql<string>`wanted.audience`.as("audience"),
        scopes: sql<SignInSession["scopes"]>`wanted.scopes`.as("scopes"),
        openedAt: sql<Date>`wanted.at`.as("opened_at"),
        expiresAt: sql<Date>`wanted."sessionEndsAt"`.as("expires_at"),
      }),
  );
  const statement = db
    .with(consumed)
    .insert(sessionTable)
    .select(
      db
        .select({
          id: consumed.id,
          holder: consumed.holder,
          passportId: consumed.passportId,
          manages: consumed.manages,
          audience: consumed.audience,
          scopes: consumed.scopes,
          openedAt: consumed.openedAt,
          expiresAt: consumed.expiresAt,
          lastUsedAt: sql`null::timestamptz`.as("last_used_at"),
        })
        .from(consumed),
    )
    .returning({ id: sessionTable.id })
    .prepare("sign_in_consume");
  // Not repeated after an error: the statement may have been carried out.
  return inBatches(async (items: readonly Consumption[]) => {
    const nonces = items.map(({ nonce }) => nonce);
    const opened = await statement.execute({ nonces, items: JSON.stringify(items) });
    const ids = new Set(opened.map(({ id }) => id));
    return items.map(({ sessionId }) => ids.has(sessionId));
  });
}

/** Finds issued messages by their nonces, `null` for none. */
function findStatement(db: Database) {
  const findAll = db
    .select()
    .from(signInNonce)
    .where(sql`${signInNonce.nonce} = any(${param("nonces")}::text[])`)
    .prepare("sign_in_find");
  return readInBatches(
    async (nonces: readonly string[]) => {
      const found = await findAll.execute({ nonces });
      const byNonce = new Map(found.map((row) => [row.nonce, row]));
      return nonces.map((nonce) => byNonce.get(nonce) ?? null);
    },
    (error) => !isDatabaseUnavailable(error),
  );
}

/** Uses codes up, and opens their sessions. */
function codeStatements(db: Database) {
  const redeem = db
    .update(authCode)
    .set({ usedAt: sql`${param("at")}` })
    .where(
      and(
        eq(authCode.codeHash, param("codeHash")),
        isNull(authCode.usedAt),
        gt(authCode.expiresAt, param("at")),
      ),
    )
    .returning({ session: authCode.session })
    .prepare("sign_in_redeem");
  const codeUse = db
    .select({ usedAt: authCode.usedAt })
    .from(authCode)
    .where(eq(authCode.codeHash, param("codeHash")))
    .prepare("sign_in_code_use");
  const open = db
    .update(sessionTable)
    .set({ openedAt: sql`${param("at")}`, expiresAt: sql`${param("expiresAt")}` })
    .where(eq(sessionTable.id, param("sessionId")))
    .prepare("sign_in_open_session");
  return { redeem, codeUse, open };
}

/** Nonces and codes of the sign-in service in Postgres. Every change is one prepared statement. */
export function signInStore(db: Database): SignInStore {
  const issue = issueStatement(db);
  const consume = consumeInBatches(db);
  const { consumeForCode, consumeForCookie } = consumeStatements(db);
  const { redeem, codeUse, open } = codeStatements(db);

  return {
    async issue(message, at) {
      await issue.execute({
        ...message,
        sweepBefore: new Date(at.getTime() - KEPT_MS),
      });
    },

    find: findStatement(db),

    consume(nonce, at, { session, expiresAt }) {
      const { passportId, ...row } = sessionRow(session);
      const digits = passportId.toString();
      return consume({ nonce, at, ...row, passportId: digits, sessionEndsAt: expiresAt });
    },

    async consumeForCode(nonce, at, { codeHash, session, expiresAt }: NewAuthCode) {
      const rows = await consumeForCode.execute({
        nonce,
        at,
        codeHash,
        session,
        expiresAt,
        ...sessionRow(session),
        openedAt: null,
        // Until it is redeemed, as long as it can be.
        sessionEndsAt: expiresAt,
      });
      return rows.length === 1;
    },

    async consumeForCookie(nonce, at, opened: OpenedConsole) {
      const { sessionId, account, audience, secretHash, expiresAt } = opened;
      const rows = await consumeForCookie.execute({
        nonce,
        at,
        secretHash,
        sessionId,
        holder: account.toLowerCase(),
        passportId: NO_PASSPORT,
        manages: "account",
        audience,
        scopes: ["manage"],
        openedAt: at,
        sessionEndsAt: expiresAt,
      });
      return rows.length === 1;
    },

    async redeem(codeHash, at) {
      const [redeemed] = await redeem.execute({ codeHash, at });
      if (redeemed) return redeemed.session;
      const [row] = await codeUse.execute({ codeHash });
      return row?.usedAt ? "used" : "expired";
    },

    async open(sessionId, at, expiresAt) {
      await open.execute({ sessionId, at, expiresAt });
    },
  };
}

function sessionRow({ sessionId, holder, agentId, manages, audience, scopes }: SignInSession) {
  return {
    sessionId,
    holder: holder.toLowerCase(),
    passportId: agentId,
    manages,
    audience,
    scopes,
  };
}
