import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { address, appTable, at, exactJson, hex, uint256 } from "../platform/database/columns.ts";
import { SIGNATURE_ROLES, type SignedMessage, SUBJECT_KINDS } from "./operation.ts";

/** The state of an operation. The last four are final. */
const OPERATION_STATES = [
  "waiting",
  "accepted",
  "settled",
  "refused",
  "expired",
  "cancelled",
] as const;

/** Why an operation was not carried out: its error. */
interface OperationReason {
  readonly type: string;
  readonly message: string;
  readonly details: unknown;
  /** Whether another operation took its place. */
  readonly superseded: boolean;
}

/** Signed operations. Rows are never deleted: a refused operation keeps its reason. */
export const operation = appTable(
  "operation",
  {
    kept: { forever: "A repeated request finds its answer or its refusal here." },
    rebuiltFrom: null,
    lostWith:
      "The history of signed operations, and those that are not settled: what is not on chain is signed again.",
  },
  {
    id: uuid("id").primaryKey(),
    kind: text("kind").notNull(),
    settlement: text("settlement", { enum: ["chain", "postgres"] }).notNull(),
    state: text("state", { enum: OPERATION_STATES }).notNull(),
    /** SHA-256 of the request: the same signature under another request is another request. */
    requestHash: hex("request_hash").notNull(),
    operationKey: text("operation_key").notNull(),
    /** The request, of a kind whose signers may sign at different times. */
    request: exactJson<{ readonly request: unknown }>("request"),
    /** Data for carrying it out. Public content only. */
    payload: exactJson<{ readonly payload: unknown }>("payload").notNull(),
    /** Encrypted values by name, as base64. Null without any, and from the operation's end on. */
    secrets: jsonb("secrets").$type<Readonly<Record<string, string>>>(),
    /** The chain's head when its first signature arrived: nothing of it can be in an earlier block. */
    acceptedBlock: bigint("accepted_block", { mode: "bigint" }).notNull(),
    txHash: hex("tx_hash"),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    /** The answer; null until it is settled. */
    result: exactJson<{ readonly result: unknown }>("result"),
    reason: exactJson<OperationReason>("reason"),
    /** The trace of the request that accepted it, in the form of W3C Trace Context. */
    traceparent: text("traceparent"),
    createdAt: at("created_at").notNull(),
    /** Null for an operation that never had all of its signatures. */
    acceptedAt: at("accepted_at"),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    /** One decision is open once: a later signer adds to it. */
    uniqueIndex("operation_decision")
      .on(table.kind, table.requestHash)
      .where(sql`request is not null and state in ('waiting', 'accepted')`),
    index("operation_state").on(table.state, table.createdAt),
    index("operation_kind").on(table.kind, table.createdAt),
  ],
);

/** The signatures of an operation. */
export const operationSignature = appTable(
  "operation_signature",
  {
    kept: { forever: "A signature counts once, for ever." },
    rebuiltFrom: null,
    lostWith:
      "Signatures of operations. The contracts and the deadline of 15 minutes still prevent that one is used twice on chain.",
  },
  {
    operationId: uuid("operation_id")
      .notNull()
      .references(() => operation.id),
    role: text("role", { enum: SIGNATURE_ROLES }).notNull(),
    /** In the order of the definition. */
    position: integer("position").notNull(),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    /** The contract whose EIP-712 domain it has, and whose nonces it uses. */
    contract: address("contract").notNull(),
    primaryType: text("primary_type").notNull(),
    signer: address("signer").notNull(),
    nonce: uint256("nonce").notNull(),
    digest: hex("digest").notNull(),
    message: exactJson<SignedMessage>("message").notNull(),
    signature: hex("signature").notNull(),
    /** When its operation ended without using the nonce, which can then be sent again. */
    releasedAt: at("released_at"),
  },
  (table) => [
    primaryKey({ columns: [table.operationId, table.role] }),
    /** A nonce is used once: a signer of two messages with one nonce learns it before gas is spent. */
    uniqueIndex("operation_signature_nonce")
      .on(table.chainId, table.contract, table.signer, table.nonce)
      .where(sql`released_at is null`),
    uniqueIndex("operation_signature_digest").on(table.digest).where(sql`released_at is null`),
  ],
);

/** The subject of an operation. */
export const operationSubject = appTable(
  "operation_subject",
  {
    kept: { forever: "It belongs to its operation." },
    rebuiltFrom: null,
    lostWith: "Which agents and organizations the lost operations concern.",
  },
  {
    operationId: uuid("operation_id")
      .notNull()
      .references(() => operation.id),
    kind: text("kind", { enum: SUBJECT_KINDS }).notNull(),
    id: uint256("id").notNull(),
    /** Of a soul; null for anything else. */
    epoch: integer("epoch"),
  },
  (table) => [
    primaryKey({ columns: [table.operationId, table.kind, table.id] }),
    index("operation_subject_id").on(table.kind, table.id),
  ],
);

/** How far events of the index were followed: everything up to and with this one has been handled. */
export const eventCursor = appTable(
  "event_cursor",
  {
    kept: { forever: "One row for each follower of events." },
    rebuiltFrom: null,
    lostWith:
      "Nothing: events of the index are followed from the first one again. No webhook is left that old events could reach.",
  },
  {
    name: text("name").primaryKey(),
    block: bigint("block", { mode: "bigint" }).notNull(),
    /** Of the event within its block; empty before the first one. */
    key: text("key").notNull(),
  },
);

/** Who must sign an operation that waits, or waited, for a signature. */
export const operationParty = appTable(
  "operation_party",
  {
    kept: { forever: "It belongs to its operation." },
    rebuiltFrom: null,
    lostWith: "Who is asked to sign waiting operations.",
  },
  {
    operationId: uuid("operation_id")
      .notNull()
      .references(() => operation.id),
    role: text("role", { enum: SIGNATURE_ROLES }).notNull(),
    signer: address("signer").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.operationId, table.role] }),
    index("operation_party_signer").on(table.signer),
  ],
);
