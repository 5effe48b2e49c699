import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { DisclosurePolicy, Field } from "../../../protocol/index.ts";
import { appTable, at } from "../../platform/database/columns.ts";
import {
  DISCLOSURE_TRIGGERS,
  type PendingField,
  REQUEST_STATES,
  type RejectedField,
} from "./context.ts";

// No value of a field is in any of these tables: only the names of fields.

/** Policies of agents, by seal epoch. Of each epoch at most one is active. */
export const disclosurePolicy = appTable(
  "disclosure_policy",
  {
    kept: { forever: "An owner can see under which policy a disclosure was made." },
    rebuiltFrom: null,
    lostWith:
      "All disclosure policies: every private field stays private until owners set them again.",
  },
  {
    id: uuid("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    name: text("name").notNull(),
    policy: jsonb("policy").$type<DisclosurePolicy>().notNull(),
    createdAt: at("created_at").notNull(),
    /** When it was replaced or deactivated; null while it is active. */
    endedAt: at("ended_at"),
  },
  (table) => [
    index("disclosure_policy_agent").on(table.tokenId, table.epoch, table.createdAt),
    uniqueIndex("disclosure_policy_active")
      .on(table.tokenId, table.epoch)
      .where(sql`ended_at is null`),
  ],
);

/** That fields were disclosed, when and to whom. */
export const disclosure = appTable(
  "disclosure",
  {
    kept: { forever: "They are the record of what an owner disclosed. It has no values." },
    rebuiltFrom: null,
    lostWith:
      "The history of disclosures, and which were revoked: a revoked disclosure is unknown to the service.",
  },
  {
    id: uuid("id").primaryKey(),
    tokenId: bigint("token_id", { mode: "bigint" }).notNull(),
    epoch: integer("epoch").notNull(),
    agentName: text("agent_name").notNull(),
    fields: text("fields").array().$type<Field[]>().notNull(),
    /** Null for the public, like its DID and name, and for a regulator. */
    recipientTokenId: bigint("recipient_token_id", { mode: "bigint" }),
    recipientDid: text("recipient_did"),
    recipientName: text("recipient_name"),
    trigger: text("trigger", { enum: DISCLOSURE_TRIGGERS }).notNull(),
    issuedAt: at("issued_at").notNull(),
    /** Null for never. */
    expiresAt: at("expires_at"),
    revokedAt: at("revoked_at"),
    revokeReason: text("revoke_reason"),
  },
  (table) => [index("disclosure_agent").on(table.tokenId, table.epoch, table.issuedAt)],
);

/** What agents ask of others, and how the others' owners answered. */
export const disclosureRequest = appTable(
  "disclosure_request",
  {
    kept: { forever: "They are the record of what was asked and answered. It has no values." },
    rebuiltFrom: null,
    lostWith: "Requests for disclosure, with the owners' answers: open ones are made again.",
  },
  {
    id: uuid("id").primaryKey(),
    requesterTokenId: bigint("requester_token_id", { mode: "bigint" }).notNull(),
    requesterEpoch: integer("requester_epoch").notNull(),
    requesterName: text("requester_name").notNull(),
    requesterDid: text("requester_did").notNull(),
    targetTokenId: bigint("target_token_id", { mode: "bigint" }).notNull(),
    targetEpoch: integer("target_epoch").notNull(),
    targetName: text("target_name").notNull(),
    targetDid: text("target_did").notNull(),
    requestedFields: text("requested_fields").array().$type<Field[]>().notNull(),
    /** Public fields, given out at once. */
    given: text("given").array().$type<Field[]>().notNull(),
    /** Fields that the owner decides about, each with its mode. */
    pending: jsonb("pending").$type<readonly PendingField[]>().notNull(),
    /** Fields that the policy refused, each with the reason. */
    rejected: jsonb("rejected").$type<readonly RejectedField[]>().notNull(),
    /** The requester's own words. */
    reason: text("reason").notNull(),
    freshnessRequired: boolean("freshness_required").notNull(),
    endpoint: text("endpoint"),
    publicKey: text("public_key"),
    webhookSent: boolean("webhook_sent").notNull(),
    state: text("state", { enum: REQUEST_STATES }).notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    answerMode: text("answer_mode", { enum: ["api_relayed", "p2p_direct"] }),
    fulfilledFields: text("fulfilled_fields").array().$type<Field[]>(),
    deniedFields: text("denied_fields").array().$type<Field[]>(),
    disclosureId: uuid("disclosure_id").references(() => disclosure.id),
    answerExpiresAt: at("answer_expires_at"),
    answeredAt: at("answered_at"),
    /** Null while the values are being sent. */
    requesterNotified: boolean("requester_notified"),
    /** How often the service sent the values. */
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [
    index("disclosure_request_open")
      .on(table.expiresAt)
      .where(sql`state in ('pending_approval', 'partially_fulfilled')`),
    index("disclosure_request_requester").on(table.requesterTokenId, table.state),
    index("disclosure_request_target").on(table.targetTokenId, table.state),
  ],
);
