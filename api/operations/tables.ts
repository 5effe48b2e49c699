import { bigint, index, integer, jsonb, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { app, at, uint256 } from "../platform/database/columns.ts";

/** What owners signed and the service carries out on chain, from its acceptance to its end. */
export const ownerOperation = app.table(
  "owner_operation",
  {
    id: uuid("id").primaryKey(),
    kind: text("kind").notNull(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    /** Of what the owner signed. */
    digest: text("digest").notNull().unique(),
    signer: text("signer").notNull(),
    nonce: uint256("nonce").notNull(),
    message: jsonb("message").notNull(),
    signature: text("signature").notNull(),
    /** SHA-256 of the request: the same signature under another request is another request. */
    requestHash: text("request_hash").notNull(),
    operationKey: text("operation_key").notNull(),
    /** What carrying it out needs; public content only. */
    payload: jsonb("payload").notNull(),
    state: text("state", { enum: ["pending", "complete"] }).notNull(),
    /** Null until it is complete. */
    result: jsonb("result"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    /** A nonce is used once: whoever signs two messages with one learns it before gas is spent. */
    unique("owner_operation_signer_nonce").on(table.signer, table.nonce),
    index("owner_operation_state").on(table.state, table.createdAt),
    index("owner_operation_token").on(table.tokenId, table.createdAt),
  ],
);

/** Nonces of what owners signed for this service alone. Kept for ever: a signer chooses the deadline. */
export const ownerNonce = app.table(
  "owner_nonce",
  {
    signer: text("signer").notNull(),
    nonce: uint256("nonce").notNull(),
    /** Of what was signed. */
    digest: text("digest").notNull(),
    usedAt: at("used_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.signer, table.nonce] })],
);
