import { index, smallint, text, uuid } from "drizzle-orm/pg-core";
import { appTable, at, bytea } from "../database/columns.ts";

/** Requests made under an Idempotency-Key. */
export const idempotency = appTable(
  "idempotency",
  {
    kept: { removedBy: "answers.forget", when: "a day after the request" },
    rebuiltFrom: null,
    lostWith:
      "Answers to requests with an Idempotency-Key: a repeated request is carried out as a new one.",
  },
  {
    keyHash: bytea("key_hash").primaryKey(),
    bodyHash: bytea("body_hash").notNull(),
    state: text("state", { enum: ["in_flight", "done"] }).notNull(),
    /**
     * The handler names its work after it. It survives a crash, so that the next attempt resumes
     * it.
     */
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
