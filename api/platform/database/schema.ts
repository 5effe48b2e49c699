import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  jsonb,
  numeric,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { app, at, bytea } from "./columns.ts";

export * from "../../features/chronicles/tables.ts";
export * from "../../features/claims/tables.ts";
export * from "../sponsorship/tables.ts";
export * from "../storage/tables.ts";
export { app };

/** API keys, by SHA-256 only. A key dies with its seal epoch. */
export const apiKey = app.table(
  "api_key",
  {
    hash: bytea("hash").primaryKey(),
    /** Names the key in lists. */
    id: uuid("id").notNull().defaultRandom().unique(),
    kind: text("kind", { enum: ["live", "provisional"] }).notNull(),
    holder: text("holder", { enum: ["agent", "owner"] })
      .notNull()
      .default("owner"),
    /** The key's last characters; null for keys from before they were kept. */
    hint: text("hint"),
    /** Null for a provisional key before its registration is claimed. */
    tokenId: bigint("token_id", { mode: "bigint" }),
    registrationId: uuid("registration_id"),
    /** Seal epoch the key belongs to; null exactly when tokenId is. */
    epoch: bigint("epoch", { mode: "bigint" }),
    createdAt: at("created_at").notNull(),
    revokedAt: at("revoked_at"),
    /** When a provisional key was exchanged: it happens once. */
    exchangedAt: at("exchanged_at"),
  },
  (table) => [
    index("api_key_token_id").on(table.tokenId),
    index("api_key_registration_id").on(table.registrationId),
  ],
);

/** Issued sign-in messages. The stored text is what verify demands, byte for byte. */
export const signInNonce = app.table(
  "sign_in_nonce",
  {
    nonce: text("nonce").primaryKey(),
    flow: text("flow", { enum: ["wallet", "agent"] }).notNull(),
    address: text("address").notNull(),
    /** Passport id, which is a uint256 on chain. */
    agentId: numeric("agent_id", { precision: 78, scale: 0 }),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    scopes: text("scopes").array().notNull(),
    minTier: smallint("min_tier").notNull(),
    /** Origin of the relying party that the token is for; null: this service. */
    audience: text("audience"),
    message: text("message").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [index("sign_in_nonce_expires_at").on(table.expiresAt)],
);

/** One-time codes of the wallet flow, by hash. */
export const authCode = app.table(
  "auth_code",
  {
    codeHash: bytea("code_hash").primaryKey(),
    session: jsonb("session").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [index("auth_code_expires_at").on(table.expiresAt)],
);

/** Requests made under an Idempotency-Key. */
export const idempotency = app.table(
  "idempotency",
  {
    keyHash: bytea("key_hash").primaryKey(),
    bodyHash: bytea("body_hash").notNull(),
    state: text("state", { enum: ["in_flight", "done"] }).notNull(),
    /** What the handler names its work after; survives a crash, so that the next try resumes it. */
    operationId: uuid("operation_id").notNull(),
    /** Who holds the lease; only its holder may finish or free the row. */
    leaseId: uuid("lease_id").notNull(),
    lockedUntil: at("locked_until").notNull(),
    status: smallint("status"),
    answerEncrypted: bytea("answer_encrypted"),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [index("idempotency_expires_at").on(table.expiresAt)],
);

/** Accepted registrations and how they ended. `payload` and `leaves` hold public content and hashes only. */
export const registration = app.table(
  "registration",
  {
    id: uuid("id").primaryKey(),
    /** Digest of what the owner signs. */
    digest: text("digest").notNull().unique(),
    name: text("name").notNull(),
    owner: text("owner").notNull(),
    state: text("state", { enum: ["pending", "complete"] }).notNull(),
    payload: jsonb("payload").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").notNull(),
    result: jsonb("result"),
    apiKeyEncrypted: bytea("api_key_encrypted"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("registration_name").on(table.name),
    /** Two registrations of one name cannot be on their way at once. */
    uniqueIndex("registration_pending_name").on(table.name).where(sql`state = 'pending'`),
    index("registration_state").on(table.state, table.createdAt),
    index("registration_owner").on(table.owner, table.createdAt),
  ],
);

/** Transactions the relayer signed, stored before they are sent, so that a restart sends the same bytes again. */
export const relayerTransaction = app.table(
  "relayer_transaction",
  {
    operationId: text("operation_id").primaryKey(),
    sender: text("sender").notNull(),
    nonce: bigint("nonce", { mode: "bigint" }).notNull(),
    /** Signed transaction as last sent. */
    raw: text("raw").notNull(),
    /** Hashes of every version sent, newest last: any of them may be the one that is mined. */
    hashes: text("hashes").array().notNull(),
    status: text("status", { enum: ["open", "mined", "reverted"] }).notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    gasLimit: bigint("gas_limit", { mode: "bigint" }).notNull(),
    gasUsed: bigint("gas_used", { mode: "bigint" }),
    maxFeePerGas: numeric("max_fee_per_gas", { precision: 78, scale: 0 }).notNull(),
    maxPriorityFeePerGas: numeric("max_priority_fee_per_gas", {
      precision: 78,
      scale: 0,
    }).notNull(),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    unique("relayer_transaction_sender_nonce").on(table.sender, table.nonce),
    index("relayer_transaction_status").on(table.status),
  ],
);

/** The salt that blinds a soul's fields, and the leaf hashes made with it. A reseal starts a new row. */
export const soulSecret = app.table(
  "soul_secret",
  {
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: bigint("epoch", { mode: "bigint" }).notNull(),
    soulHash: text("soul_hash").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.epoch] })],
);

export * from "../../features/documents/tables.ts";
export * from "../../features/profile/tables.ts";
export * from "../../features/sign-in/tables.ts";
export * from "../../features/webhooks/tables.ts";
export * from "../../operations/tables.ts";
export * from "../jobs/tables.ts";
