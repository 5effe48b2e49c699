// Every table of the service, and what becomes of its rows when an owner exports or deletes private
// data. test/api/features/private-data/inventory.test.ts compares this list with the database.

/**
 * How rows belong to an account: `$1` is the account in lower case, `t` the table.
 *
 * A soul's rows belong to the account that sealed their epoch. So a buyer neither sees nor deletes
 * what is the seller's, and the seller keeps its right after the sale.
 */
const ofEpoch = (token = "token_id", epoch = "epoch") =>
  `exists (select from chain.soul_epoch e where e.sealer = $1 and e.token_id = t.${token} and e.epoch = t.${epoch})`;
const ofAccount = (column: string) => `lower(t.${column}) = $1`;
const ofWebhook = (column: string) =>
  `t.${column} in (select id from app.webhook t where ${ofEpoch()})`;

/** What a deletion does with the rows. */
export type Deletion =
  | { readonly kind: "deleted" }
  /** They stay without the named columns: `set` is the assignment, `where` limits it further. */
  | {
      readonly kind: "cleared";
      readonly set: string;
      readonly where?: string;
      readonly why: string;
    }
  /** Only when the owner asked for it too. */
  | { readonly kind: "with-salts"; readonly why: string }
  | { readonly kind: "kept"; readonly why: string };

export interface OwnedRows {
  /** Without the schema `app`. */
  readonly table: string;
  /** Its name in the export. */
  readonly name: string;
  readonly description: string;
  readonly owned: string;
  /** The columns that the export shows. The service's own bookkeeping is left out. */
  readonly columns: readonly string[];
  /** By which the export is ordered, the newest first. */
  readonly order: string;
  readonly deletion: Deletion;
}

const deleted: Deletion = { kind: "deleted" };

/** Rows that belong to an owner, in the order in which they can be deleted. */
export const OWNED_ROWS: readonly OwnedRows[] = [
  {
    table: "session",
    name: "sessions",
    description: "Sign-ins of this account, until their tokens expire.",
    owned: ofAccount("holder"),
    columns: [
      "id",
      "passport_id",
      "manages",
      "audience",
      "scopes",
      "opened_at",
      "expires_at",
      "last_used_at",
    ],
    order: "expires_at",
    deletion: deleted,
  },
  {
    table: "auth_code",
    name: "signInCodes",
    description: "One-time codes of sign-ins, for ten minutes. Only their hashes are stored.",
    owned: "lower(t.session ->> 'holder') = $1",
    columns: ["expires_at", "used_at"],
    order: "expires_at",
    deletion: deleted,
  },
  {
    table: "sign_in_nonce",
    name: "challenges",
    description: "Messages that this account was asked to sign, until they expire.",
    owned: ofAccount("address"),
    columns: [
      "flow",
      "agent_id::text as agent_id",
      "scopes",
      "audience",
      "message",
      "expires_at",
      "used_at",
    ],
    order: "expires_at",
    deletion: deleted,
  },
  {
    table: "api_key",
    name: "apiKeys",
    description: "API keys of your agents. Of a key, only its hash and last characters are stored.",
    owned: ofEpoch(),
    columns: [
      "id",
      "token_id",
      "epoch",
      "kind",
      "holder",
      "hint",
      "created_at",
      "revoked_at",
      "last_used_at",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "webhook_try",
    name: "webhookTries",
    description: "Requests that the service sent to your webhooks, of the last 30 days.",
    owned: `t.delivery_id in (select id from app.webhook_delivery t where ${ofWebhook("webhook_id")})`,
    columns: ["delivery_id", "number", "started_at", "duration_ms", "status_code", "error"],
    order: "started_at",
    deletion: deleted,
  },
  {
    table: "webhook_delivery",
    name: "webhookDeliveries",
    description: "Events for your webhooks, of the last 30 days.",
    owned: ofWebhook("webhook_id"),
    columns: ["id", "webhook_id", "event_id", "state", "failures", "created_at", "delivered_at"],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "webhook",
    name: "webhooks",
    description: "Addresses that events of your agents are sent to, and the mail address beside.",
    owned: ofEpoch(),
    columns: [
      "id",
      "token_id",
      "epoch",
      "url",
      "events",
      "notify_email",
      "mail_confirmed_at",
      "enabled",
      "created_at",
      "ended_at",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "disclosure_request",
    name: "disclosureRequestsReceived",
    description: "What other agents asked of yours, and how you answered.",
    owned: ofEpoch("target_token_id", "target_epoch"),
    columns: [
      "id",
      "target_token_id",
      "requester_token_id",
      "requester_name",
      "requested_fields",
      "reason",
      "state",
      "created_at",
      "expires_at",
      "fulfilled_fields",
      "denied_fields",
      "answered_at",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "disclosure_request",
    name: "disclosureRequestsSent",
    description: "What your agents asked of others.",
    owned: ofEpoch("requester_token_id", "requester_epoch"),
    columns: [
      "id",
      "requester_token_id",
      "target_token_id",
      "target_name",
      "requested_fields",
      "reason",
      "endpoint",
      "public_key",
      "state",
      "created_at",
      "expires_at",
    ],
    order: "created_at",
    deletion: {
      kind: "cleared",
      set: `reason = '', endpoint = null, public_key = null,
            state = case when state in ('pending_approval', 'partially_fulfilled') then 'cancelled' else state end`,
      why: "Your words, endpoint and key are deleted, and open requests are cancelled. That a request was made stays, because it belongs to the other owner too.",
    },
  },
  {
    table: "disclosure",
    name: "disclosures",
    description: "Which fields were disclosed, when and to which agent. Never their values.",
    owned: ofEpoch(),
    columns: [
      "id",
      "token_id",
      "epoch",
      "fields",
      "recipient_token_id",
      "recipient_name",
      "trigger",
      "issued_at",
      "expires_at",
      "revoked_at",
      "revoke_reason",
    ],
    order: "issued_at",
    deletion: deleted,
  },
  {
    table: "disclosure_policy",
    name: "disclosurePolicies",
    description: "Your rules for answering requests, with every earlier version.",
    owned: ofEpoch(),
    columns: ["id", "token_id", "epoch", "name", "policy", "created_at", "ended_at"],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "document_upload",
    name: "documentUploads",
    description: "Permissions to upload one version of a document.",
    owned: ofEpoch(),
    columns: [
      "token_id",
      "epoch",
      "document_id",
      "type",
      "title",
      "content_hash",
      "created_at",
      "expires_at",
      "used_at",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "chronicle_request",
    name: "chronicleRequests",
    description: "Records that your agents asked you to sign.",
    owned: ofEpoch(),
    columns: [
      "id",
      "token_id",
      "epoch",
      "category",
      "change_type",
      "data",
      "description",
      "created_at",
      "expires_at",
      "submitted_at",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "audit_try",
    name: "auditTries",
    description: "How many files were compared with your agents for audits.",
    owned: "t.audit_id in (select id from app.audit t where lower(t.signer) = $1)",
    columns: ["audit_id", "token_id", "tries"],
    order: "audit_id",
    deletion: deleted,
  },
  {
    table: "audit",
    name: "audits",
    description: "Audits that you signed. A completed one is archived too, under `archiveId`.",
    owned: ofAccount("signer"),
    columns: [
      "id",
      "kind",
      "token_id",
      "organization_id",
      "regulatory_body",
      "regulatory_did",
      "scope",
      "audit_reference",
      "created_at",
      "upload_expires_at",
      "completed_at",
      "archive_id",
      "delivered_to",
    ],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "claim_draft",
    name: "claimDrafts",
    description: "What you were shown to sign when you claimed an agent.",
    owned: `${ofAccount("owner")} and t.registration_id in (select id from app.agent_registration where state = 'claimed')`,
    columns: ["registration_id", "created_at"],
    order: "created_at",
    deletion: deleted,
  },
  {
    table: "agent_registration",
    name: "claimedRegistrations",
    description: "Registrations that agents began and you claimed.",
    owned: `${ofAccount("owner")} and t.state = 'claimed'`,
    columns: ["id", "name", "address", "document", "created_at", "token_id", "ended_at"],
    order: "created_at",
    deletion: {
      kind: "cleared",
      set: "address = ''",
      why: "The network address is deleted. The registration stays, so that a repeated claim is answered. Its document is public.",
    },
  },
  {
    table: "registration",
    name: "registrations",
    description: "Your registrations. Their content is published.",
    owned: ofAccount("owner"),
    columns: ["id", "name", "state", "archive_id", "created_at"],
    order: "created_at",
    deletion: {
      kind: "cleared",
      set: "api_key_encrypted = null",
      where: "t.state = 'complete'",
      why: "The first API key is deleted. The registration stays, so that a repeated request is answered and no name is given twice.",
    },
  },
  {
    table: "soul_secret",
    name: "souls",
    description:
      "Salts of your souls, with which a field is proven. The service stores them encrypted. Save them: a value is proven with the text of the soul and its salt.",
    owned: ofEpoch(),
    columns: ["token_id", "epoch", "soul_hash", "salt_encrypted"],
    order: "token_id",
    deletion: {
      kind: "with-salts",
      why: "Deleted only when your signature says so. Afterwards this service can prove no field of these souls again.",
    },
  },
  {
    table: "display_setting",
    name: "displaySettings",
    description: "What the profiles of your agents show.",
    owned: ofEpoch(),
    columns: [
      "token_id",
      "epoch",
      "owner_address",
      "operator_address",
      "operator_label",
      "show_wallet_balances",
      "show_transaction_count",
      "updated_at",
    ],
    order: "updated_at",
    deletion: {
      kind: "kept",
      why: "Without them, profiles would show more than you chose. Change them instead.",
    },
  },
  {
    table: "public_identity",
    name: "publicIdentities",
    description: "Public descriptions of your agents.",
    owned: ofEpoch(),
    columns: ["token_id", "epoch", "identity", "updated_at"],
    order: "updated_at",
    deletion: { kind: "kept", why: "Each is published by a chronicle." },
  },
  {
    table: "emergency_stop",
    name: "emergencyStops",
    description: "Emergency stops, and how much each ended.",
    owned: ofEpoch(),
    columns: ["token_id", "epoch", "authority", "stopped_at", "api_keys", "sessions", "webhooks"],
    order: "stopped_at",
    deletion: { kind: "kept", why: "What a stop ended must stay ended." },
  },
  {
    table: "operation",
    name: "operations",
    description: "What you signed and the service carried out.",
    owned:
      "t.id in (select s.operation_id from app.operation_signature s where lower(s.signer) = $1)",
    columns: ["id", "kind", "settlement", "state", "tx_hash", "created_at"],
    order: "created_at",
    deletion: {
      kind: "kept",
      why: "A signature counts once only as long as the service remembers it. The payload of an operation is public.",
    },
  },
  {
    table: "wallet_quota",
    name: "registrationsByMonth",
    description: "How many registrations of this account the service paid for.",
    owned: ofAccount("wallet"),
    columns: ["month", "registrations"],
    order: "month",
    deletion: { kind: "kept", why: "The limit of sponsored registrations counts them." },
  },
  {
    table: "sponsored_operation",
    name: "sponsoredOperations",
    description: "Gas that the service set aside for you, with your network (/24 or /64).",
    owned: ofAccount("wallet"),
    columns: ["operation_id", "day", "gas", "network"],
    order: "day",
    deletion: {
      kind: "cleared",
      set: "wallet = null, network = ''",
      where: "t.day < to_char(now() at time zone 'utc', 'YYYY-MM-DD')",
      why: "Account and network of earlier days are deleted. Those of today count on today's limits.",
    },
  },
];

/** Tables without rows of one owner, or with public content only, and why they are left alone. */
export const OTHER_TABLES: Readonly<Record<string, string>> = {
  alignment_batch: "Names transactions.",
  alignment_snapshot: "Scores and their inputs are published.",
  chronicle: "Chronicles are public, anchored on chain, and never deleted.",
  chronicle_batch: "Names transactions.",
  chronicle_counter: "Numbers of public records.",
  chronicle_state: "Proofs of public records.",
  console_cookie: "Hashes of the console's cookies, deleted with their sessions.",
  derived_chronicle: "Public records on their way.",
  document_version: "Versions of documents are public.",
  endpoint_check: "Results of checks of public endpoints, deleted after 90 days.",
  endpoint_check_set: "Signed results of checks of public endpoints, deleted after 90 days.",
  endpoint_host: "How often hosts of public endpoints were asked, deleted after a day.",
  endpoint_watch: "When public endpoints are checked next.",
  event_cursor: "How far the service has read the chain.",
  gas_budget: "Sums of a day.",
  gas_share: "Sums of a network and a day, of no account.",
  idempotency: "Answers under an Idempotency-Key, encrypted, deleted after 24 hours.",
  index_fault: "Ranges of blocks that are read again.",
  index_reread: "Blocks that were read a second time.",
  job_schedule: "When recurring work is due.",
  mail_confirmation:
    "Hashes of mail addresses and of links that were sent there, deleted after 30 days.",
  name_challenge: "Expires within minutes.",
  name_lock: "A name that is being registered, and the caller's address until then.",
  operation_party: "Part of an operation that waits for a signature.",
  operation_signature: "Part of an operation.",
  operation_subject: "Part of an operation.",
  passport_asked: "Numbers of passports that were asked for within the last minute.",
  passport_difference: "Passports that the index has otherwise than the chain.",
  passport_suspension: "A copy of what the chain shows.",
  passport_watch: "How far the service has read the chain.",
  relayer_transaction: "Transactions, which are public.",
  revoked_token: "Ids of ended sessions, deleted when their tokens expire.",
  storage_audit: "The outcome of the last check of permanent storage.",
  storage_item: "Copies of what is on permanent storage.",
  storage_upload: "How far such a copy has been stored.",
  webhook_event: "Events, which are the same for all receivers, deleted after 30 days.",
};

/** What no signature of an owner can make the service delete. */
export const PUBLISHED =
  "Transactions, events and certificates on chain, and every item on permanent storage: souls' public fields, registration files, chronicles, documents, DID documents and snapshots. Other parties hold copies.";
