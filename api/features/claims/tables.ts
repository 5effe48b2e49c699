import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FieldLeaf } from "../../../protocol/index.ts";
import { appTable, at, bytea, exactJson, uint256 } from "../../platform/database/columns.ts";
import type { ClaimDraft, StagedContent } from "./claim/stored.ts";

/**
 * Registrations that agents began. Until its owner has signed, only the hash of the public id is
 * stored; of private texts only hashes and the encrypted salt.
 */
export const agentRegistration = appTable(
  "agent_registration",
  {
    kept: {
      forever: "The hash of its id keeps a deleted one from being mistaken for an unknown one.",
    },
    rebuiltFrom: null,
    lostWith: "Registrations that no owner has claimed: the agents register again.",
  },
  {
    id: uuid("id").primaryKey(),
    /** SHA-256 of the registration's public id. */
    tokenHash: bytea("token_hash").notNull().unique(),
    /** Identifies the request: repeated after a crash, it gets the same answer. */
    operationKey: uuid("operation_key").notNull().unique(),
    name: text("name").notNull(),
    address: text("address").notNull(),
    /** `claiming`: a signed claim of it is pending. */
    state: text("state", { enum: ["pending", "claiming", "claimed", "deleted"] }).notNull(),
    /** Its public part, staged until the claim. Null once deleted. */
    content: exactJson<StagedContent>("content"),
    saltEncrypted: bytea("salt_encrypted"),
    leaves: jsonb("leaves").$type<readonly FieldLeaf[]>(),
    /** The text of the personality document, which is public from the claim on. */
    document: text("document"),
    createdAt: at("created_at").notNull(),
    /** The claim's deadline, which owners sign. */
    expiresAt: at("expires_at").notNull(),
    /** The claim that is pending, or succeeded. */
    claimId: uuid("claim_id"),
    tokenId: bigint("token_id", { mode: "bigint" }),
    owner: text("owner"),
    endedAt: at("ended_at"),
  },
  (table) => [
    /** A last safeguard against two registrations of one name. */
    uniqueIndex("agent_registration_open_name")
      .on(table.name)
      .where(sql`state in ('pending', 'claiming')`),
    index("agent_registration_address").on(table.address).where(sql`state = 'pending'`),
    index("agent_registration_state").on(table.state, table.expiresAt),
    index("agent_registration_claim").on(table.claimId),
  ],
);

/** A draft that an owner was given to sign. A claim is accepted for exactly one of these. */
export const claimDraft = appTable(
  "claim_draft",
  {
    kept: { removedBy: "registrations.expire", when: "when the claim or the registration ends" },
    rebuiltFrom: null,
    lostWith: "Drafts of claims that owners have not signed yet.",
  },
  {
    registrationId: uuid("registration_id")
      .notNull()
      .references(() => agentRegistration.id, { onDelete: "cascade" }),
    nonce: uint256("nonce").notNull(),
    /** The account that claims. */
    owner: text("owner").notNull(),
    /** The caller, as limits count callers. */
    requester: text("requester").notNull(),
    /** Whether the agent may exchange its provisional key after the claim. */
    agentKeeps: boolean("agent_keeps").notNull(),
    /**
     * HMAC of the edits, which the claim must repeat: they may hold private text, and a plain hash
     * would confirm guesses.
     */
    editsMac: bytea("edits_mac").notNull(),
    request: exactJson<Omit<ClaimDraft["request"], "merkleLeaves">>("request").notNull(),
    message: exactJson<ClaimDraft["message"]>("message").notNull(),
    saltEncrypted: bytea("salt_encrypted").notNull(),
    leaves: jsonb("leaves").$type<readonly FieldLeaf[]>().notNull(),
    createdAt: at("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.registrationId, table.nonce] })],
);
