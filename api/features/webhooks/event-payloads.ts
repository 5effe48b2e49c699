import { z } from "zod";
import type { EventName } from "./events.ts";

// The `data` of each event. Strict: an undocumented field is never sent, and no value of a private
// field either. Only `disclosure.fulfilled` has such values.

const id = z.int().min(0);
const tokenId = id.describe("Token id of the agent's certificate.");
const agentName = z.string().describe("The agent's name.");
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const txHash = hash
  .nullable()
  .describe("Transaction that recorded it; null when it was found without one.");
const time = z.iso.datetime();
const fields = z.array(z.string());
const trustLevel = z.enum(["trusted", "verified", "limited", "revoked"]);

/** Both agents of a binding receive its events. */
const binding = {
  bindingId: hash,
  fromAgent: z.string().describe("Name of the agent that trusts."),
  fromTokenId: tokenId,
  toAgent: z.string().describe("Name of the agent that is trusted."),
  toTokenId: tokenId,
  direction: z
    .enum(["inbound", "outbound"])
    .describe("Seen from the agent that receives this event."),
  authority: z
    .enum(["SERVICE", "OWNER"])
    .describe("Who stands behind the change: the owner, or only the service."),
};

/** About a webhook that fails, without its URL: other agents of its owner may receive this. */
const failures = {
  webhookId: z.uuid().describe("The webhook that fails, never the one that receives this."),
  tokenId: tokenId.nullable().describe("The webhook's agent; null before the claim."),
  failingSince: time.describe("Start of the first failed try since the last success."),
  lastStatusCode: z.int().nullable().describe("Of the last try; null without an answer."),
  lastError: z.string().nullable().describe("Class of the last try's error."),
  failedTries: z.int().describe("Tries that failed in a row, and led to this event."),
};

/** Schema of `data`, by event. */
export const EVENT_DATA = {
  "owner.claimed": z.strictObject({
    tokenId,
    agentName,
    registrationId: z.string().describe("Registration that was claimed."),
    ownerAddress: address.describe("The account that claimed it."),
    erc8004AgentId: id.describe("The passport's id."),
    keyStatus: z
      .literal("full")
      .describe(
        "The owner has the agent's full key: it was in the claim's answer, and is never in an event.",
      ),
    agentKeeps: z
      .boolean()
      .describe(
        "Whether the agent may exchange its provisional key for a full key of its own. If not, that key has ended.",
      ),
    exchangeUntil: time
      .nullable()
      .describe("The expiry of the provisional key, until which it can read and be exchanged."),
    genesisStatus: z.enum(["PROVISIONAL", "SEALED"]),
    txHash,
    claimedAt: time,
  }),
  "binding.created": z.strictObject({ ...binding, trustLevel, createdAt: time }),
  "binding.revoked": z.strictObject({
    ...binding,
    trustLevel: z.literal("revoked"),
    previousTrustLevel: trustLevel.nullable().describe("Null when they were never bound."),
    revokedAt: time,
  }),
  "alignment.changed": z.strictObject({
    tokenId,
    agentName,
    score: z.int().min(0).max(100),
    previousScore: z.int().min(0).max(100).nullable().describe("Null for the first score."),
    txHash,
    recordedAt: time,
  }),
  "freshness.requested": z.strictObject({
    tokenId,
    agentName,
    lastSnapshot: time
      .nullable()
      .describe("When the last alignment snapshot was taken; null without one."),
    snapshotAgeDays: z.number().min(0).nullable(),
    requiredMaxDays: z
      .int()
      .min(0)
      .describe("The age that a reader requested, which the snapshot exceeds."),
    requestedAt: time,
  }),
  "chronicle.recorded": z.strictObject({
    tokenId,
    chronicleId: id,
    category: z.string(),
    changeType: z.string(),
    contentHash: hash,
    chronicleHash: hash.describe("The leaf in its batch."),
    batchId: id.nullable().describe("Null for a soul revision, which is on chain by itself."),
    arweaveTxId: z.string(),
    txHash,
    recordedAt: time,
  }),
  "embodiment.updated": z.strictObject({
    tokenId,
    agentName,
    change: z.enum(["operator", "did_address"]).describe("The kind of change."),
    operator: address
      .nullable()
      .describe("The new operator; null when the owner acts for the agent."),
    did: z.string(),
    txHash,
    updatedAt: time,
  }),
  "passport.transferred": z.strictObject({
    tokenId,
    agentName,
    erc8004AgentId: id,
    chainId: id,
    previousOwner: address.describe(
      "The account that sealed the soul; when the passport came back to that account, its previous owner.",
    ),
    newOwner: address.describe("The passport's current owner."),
    soulValidity: z.literal("suspended"),
    observedBlock: id.describe("Block in which the new owner was seen."),
  }),
  "soul.resealed": z.strictObject({
    tokenId,
    agentName,
    erc8004AgentId: id,
    epoch: id.describe(
      "The seal epoch that begins. Webhooks of the previous epoch end with this event.",
    ),
    ownerAddress: address,
    soulHash: hash,
    previousSoulHash: hash.nullable(),
    arweaveTxId: z.string().nullable(),
    txHash,
    resealedAt: time,
  }),
  "soul.burned": z.strictObject({
    tokenId,
    agentName,
    erc8004AgentId: id,
    epoch: id.describe("The seal epoch that ended."),
    ownerAddress: address.describe("The account that ended it."),
    released: z
      .boolean()
      .describe("Whether a new owner of the passport ended it instead of resealing it."),
    reasonHash: hash
      .nullable()
      .describe("keccak256 of the owner's reason; null when it was released."),
    txHash,
    burnedAt: time,
  }),
  "disclosure.requested": z.strictObject({
    requestId: z.string(),
    requesterDid: z.string(),
    requesterName: z.string(),
    requesterTokenId: id,
    requestedFields: fields.describe("Names only; never a value."),
    reason: z.string().describe("The requester's own words: untrusted text."),
    expiresAt: time,
    fulfillment: z.strictObject({
      apiRelayedUrl: z.string(),
      p2p: z
        .strictObject({
          requesterEndpoint: z.string(),
          requesterPublicKey: z.string().nullable(),
        })
        .nullable()
        .describe("Null when the requester gave no endpoint of its own."),
    }),
  }),
  "disclosure.fulfilled": z.strictObject({
    requestId: z.string(),
    targetAgent: z.string(),
    mode: z.literal("api_relayed"),
    fulfilled: z.array(
      z.strictObject({
        field: z.string(),
        value: z.unknown(),
        merkleProof: z.array(hash),
        merkleRoot: hash,
      }),
    ),
    denied: fields,
    expiresAt: time.nullable().describe("Null for never."),
  }),
  "disclosure.expired": z.strictObject({
    requestId: z.string(),
    targetAgent: z.string(),
    requestedFields: fields,
    expiredAt: time,
  }),
  "disclosure.revoked": z.strictObject({
    disclosureId: z.string(),
    targetAgent: z.string().describe("The agent that had disclosed the values."),
    fields,
    reason: z.string().nullable().describe("The discloser's own words: untrusted text."),
    revokedAt: time,
  }),
  "audit.requested": z.strictObject({
    auditId: z.string(),
    kind: z.enum(["regulatory", "organization"]),
    tokenId,
    organizationId: id
      .nullable()
      .describe("The organization that is audited; null for a single agent."),
    regulatoryBody: z.string(),
    regulatoryDid: z.string(),
    scope: z.string(),
    auditReference: z.string(),
    uploadExpiresAt: time,
  }),
  "webhook.failing": z.strictObject(failures),
  "webhook.disabled": z.strictObject({ ...failures, disabledAt: time }),
} as const satisfies Record<EventName, z.ZodType>;

/** Data of one event. */
export type EventData<Name extends EventName> = z.infer<(typeof EVENT_DATA)[Name]>;

/** When each event is sent, and to whom. One sentence for the documents. */
export const EVENT_SUMMARIES: Readonly<Record<EventName, string>> = {
  "owner.claimed": "The owner claimed the agent's registration.",
  "binding.created":
    "An agent was bound to another one, which it trusts from now on. Both receive it.",
  "binding.revoked": "An agent revoked its binding to another one. Both receive it.",
  "alignment.changed": "The recorded alignment score moved by 5 or more.",
  "freshness.requested": "A reader requested a fresher alignment snapshot than the last one.",
  "chronicle.recorded": "A chronicle of this agent was confirmed on chain.",
  "embodiment.updated": "The agent's operator or an address in its DID document changed.",
  "passport.transferred":
    "The passport has left the owner who sealed the soul, or came back while a suspension stands: the soul is suspended until a reseal, and other events wait.",
  "soul.resealed":
    "A new owner resealed the soul. The last event that webhooks of the previous epoch receive.",
  "soul.burned":
    "The soul has ended: burned by its owner, or released by a new owner of its passport. The last event of its webhooks.",
  "disclosure.requested": "Another agent asks for fields that need the owner's approval.",
  "disclosure.fulfilled":
    "A request of this agent was answered through the service. Sent once, never stored or retried, because it holds values.",
  "disclosure.expired": "A request of this agent was not answered in time.",
  "disclosure.revoked": "A disclosure made to this agent was revoked.",
  "audit.requested": "A regulatory or organization audit of this agent began.",
  "webhook.failing": "Another webhook of the same owner failed three times in a row.",
  "webhook.disabled": "Another webhook of the same owner was disabled after failures.",
};

/** The data of an event differs from its documented form: a fault of the emitting feature. */
class EventDataError extends Error {
  override readonly name = "EventDataError";
  constructor(
    readonly event: EventName,
    /** Dotted paths and the problem of each, never a value. */
    readonly problems: readonly string[],
  ) {
    super(`The data of ${event} breaks its schema: ${problems.join("; ")}.`);
  }
}

/**
 * The data as it may be sent.
 *
 * @throws EventDataError
 */
export function checkEventData(event: EventName, data: unknown): Readonly<Record<string, unknown>> {
  const parsed = EVENT_DATA[event].safeParse(data);
  if (parsed.success) return parsed.data;
  throw new EventDataError(
    event,
    parsed.error.issues.map((issue) => `${issue.path.map(String).join(".")} (${issue.message})`),
  );
}
