import { sql } from "drizzle-orm";
import { bigint, check, index, smallint, text, uuid } from "drizzle-orm/pg-core";
import { SCOPES, type Tier } from "../../kernel/scopes.ts";
import { MANAGES } from "../../kernel/sessions.ts";
import {
  address,
  appTable,
  at,
  bytea,
  exactJson,
  uint256,
} from "../../platform/database/columns.ts";
import type { SignInSession } from "./profile.ts";

/** Issued sign-in messages. The stored text is what verify demands, byte for byte. */
export const signInNonce = appTable(
  "sign_in_nonce",
  {
    kept: { removedBy: "later sign-ins", when: "after it expired" },
    rebuiltFrom: null,
    lostWith: "Sign-ins that are under way: their clients start again.",
  },
  {
    nonce: text("nonce").primaryKey(),
    flow: text("flow", { enum: ["wallet", "agent", "account"] }).notNull(),
    address: address("address").notNull(),
    /** Passport id, which is a uint256 on chain. */
    agentId: uint256("agent_id"),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    scopes: text("scopes", { enum: SCOPES }).array().notNull(),
    minTier: smallint("min_tier").$type<Tier>().notNull(),
    /** Origin of the relying party that the token is for; null: this service. */
    audience: text("audience"),
    message: text("message").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [
    index("sign_in_nonce_expires_at").on(table.expiresAt),
    check("sign_in_nonce_min_tier_check", sql`min_tier in (1, 2, 3)`),
  ],
);

/** One-time codes of the wallet flow, by hash. */
export const authCode = appTable(
  "auth_code",
  {
    kept: { removedBy: "later sign-ins", when: "after it expired" },
    rebuiltFrom: null,
    lostWith: "Codes that are not redeemed yet: their clients sign in again.",
  },
  {
    codeHash: bytea("code_hash").primaryKey(),
    session: exactJson<SignInSession>("session").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [index("auth_code_expires_at").on(table.expiresAt)],
);

/** Access tokens that were revoked before they expired, by `jti`. A row is of no use once its token has expired. */
export const revokedToken = appTable(
  "revoked_token",
  {
    kept: { removedBy: "later revocations", when: "after the token would have expired" },
    rebuiltFrom: null,
    lostWith:
      "Which access tokens were revoked: they are accepted again until they expire. Change JWT_SECRETS, which ends every token.",
  },
  {
    jti: text("jti").primaryKey(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [index("revoked_token_expires_at").on(table.expiresAt)],
);

/** Sign-ins until their access tokens expire: what their owners see, and can end. No token is stored. */
export const session = appTable(
  "session",
  {
    kept: { removedBy: "later sign-ins", when: "after it expired" },
    rebuiltFrom: null,
    lostWith:
      "The list of open sign-ins: owners cannot see or end them. Change JWT_SECRETS, which ends every token.",
  },
  {
    /** The `jti` of its token; a session of the console has none. */
    id: uuid("id").primaryKey(),
    /** In lower case. */
    holder: text("holder").notNull(),
    /** `NO_PASSPORT` for a session of the console: it is of the account as such. */
    passportId: bigint("passport_id", { mode: "bigint" }).notNull(),
    /** See `TokenSubject.manages`. */
    manages: text("manages", { enum: MANAGES }),
    audience: text("audience").notNull(),
    scopes: text("scopes", { enum: SCOPES }).array().notNull(),
    /** When its token was issued; null while its code waits to be redeemed. */
    openedAt: at("opened_at"),
    expiresAt: at("expires_at").notNull(),
    lastUsedAt: at("last_used_at"),
  },
  (table) => [
    index("session_passport_id").on(table.passportId),
    index("session_holder").on(table.holder),
    index("session_expires_at").on(table.expiresAt),
  ],
);

/** The cookie of each session of the console, by the hash of its secret. */
export const consoleCookie = appTable(
  "console_cookie",
  {
    kept: { removedBy: "later sign-ins", when: "with its session" },
    rebuiltFrom: null,
    lostWith: "Open sign-ins to the console: their owners sign in again.",
  },
  {
    secretHash: bytea("secret_hash").primaryKey(),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => session.id, { onDelete: "cascade" }),
  },
  (table) => [index("console_cookie_session_id").on(table.sessionId)],
);
