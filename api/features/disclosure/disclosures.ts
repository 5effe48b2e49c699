import { randomUUID } from "node:crypto";
import { didOf } from "../../../protocol/did.ts";
import type { DisclosureExpiry, DisclosurePolicy, Field } from "../../../protocol/index.ts";
import {
  disclosureExpiresAt,
  FALLBACK_EXPIRY,
  fieldAvailability,
  InvalidDidError,
  parseDid,
} from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { assertSoul } from "../../soul/require-soul.ts";
import { byName } from "../../soul/soul-ref.ts";
import type {
  DisclosureContext,
  DisclosurePosition,
  DisclosureRecord,
  HistoryFilter,
} from "./context.ts";
import { soulFor } from "./context.ts";
import { proveStated, type StatedField } from "./proving.ts";

// Disclosures that an owner makes of its own accord, and the record of all.

/** The state of a disclosure now. What was revoked stays so after its expiry. */
export function disclosureStatus(
  { revokedAt, expiresAt }: Pick<DisclosureRecord, "revokedAt" | "expiresAt">,
  now: Date,
): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

/**
 * Proves values to a recipient, or to the public. The caller passes the answer on.
 *
 * @throws ApiError of the caller's access; FORBIDDEN for a field that the policy discloses
 * never, or to audits only; of `proveStated`.
 */
export async function disclose(
  context: DisclosureContext,
  caller: Caller,
  wish: {
    readonly tokenId: bigint;
    readonly disclosures: readonly StatedField[];
    readonly recipientDid?: string | undefined;
    readonly expiresIn?: DisclosureExpiry | undefined;
  },
) {
  const { tokenId, disclosures, recipientDid } = wish;
  assertDifferent(disclosures);
  const soul = await soulFor(context, caller, tokenId, "registered", "writes");
  assertSoul(soul, "active");
  const recipient = recipientDid === undefined ? null : await recipientOf(context, recipientDid);
  const proven = await proveStated(context, soul, disclosures);
  const fields = disclosures.map(({ field }) => field);
  const record = await context.records.inTransaction(async (tx) => {
    const policy = await context.policies.active(soul, tx);
    assertOpen(policy, fields);
    const issuedAt = context.clock();
    const expiresIn = wish.expiresIn ?? policy?.defaultExpiry ?? FALLBACK_EXPIRY;
    const added: DisclosureRecord = {
      id: randomUUID(),
      tokenId,
      epoch: soul.epoch,
      agentName: soul.name,
      fields,
      recipient,
      trigger: "manual",
      issuedAt,
      expiresAt: disclosureExpiresAt(expiresIn, issuedAt),
      revokedAt: null,
    };
    await context.records.add(tx, added);
    return added;
  });
  return { record, passportId: soul.passportId, proven };
}

/** @throws ApiError of the caller's access; INVALID_REQUEST for a foreign DID. */
export async function disclosureHistory(
  context: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  filter: HistoryFilter,
  page: ListPage<DisclosurePosition>,
) {
  const { chainId } = context;
  const soul = await soulFor(context, caller, tokenId, "registered", "reads");
  const { recipientDid: did } = filter;
  const recipientDid = did === undefined ? undefined : didOf(chainId, nameIn(did, chainId));
  const history = await context.records.history(soul, { ...filter, recipientDid }, page);
  return { agentName: soul.name, passportId: soul.passportId, now: context.clock(), ...history };
}

/**
 * Revokes a disclosure. Its proof stays right: what was shown cannot be taken back. Doing it
 * again changes nothing.
 *
 * @throws ApiError of the caller's access; NOT_FOUND; GONE when it has expired.
 */
export async function revokeDisclosure(
  context: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  id: string,
  reason: string | null,
): Promise<{ readonly revokedAt: Date; readonly webhookSent: boolean }> {
  const { records, clock } = context;
  const soul = await soulFor(context, caller, tokenId, "registered", "writes");
  return records.inTransaction(async (tx) => {
    const record = await records.lock(tx, soul, id);
    if (record === null) {
      throw new ApiError("NOT_FOUND", {
        message: `The agent with token id ${tokenId} made no disclosure with this id.`,
      });
    }
    if (record.revokedAt !== null) return { revokedAt: record.revokedAt, webhookSent: false };
    const revokedAt = clock();
    if (disclosureStatus(record, revokedAt) === "expired") {
      throw new ApiError("GONE", { message: "This disclosure has expired already." });
    }
    await records.revoke(tx, id, revokedAt, reason);
    return { revokedAt, webhookSent: await tellRecipient(context, tx, record, revokedAt, reason) };
  });
}

/** Whether the recipient is an agent, and has a webhook for it. */
async function tellRecipient(
  { events, isSubscribed }: DisclosureContext,
  tx: Transaction,
  { id, recipient, agentName, fields }: DisclosureRecord,
  revokedAt: Date,
  reason: string | null,
): Promise<boolean> {
  if (recipient === null || recipient.tokenId === null) return false;
  await events.emit(tx, {
    event: "disclosure.revoked",
    tokenId: recipient.tokenId,
    registrationId: null,
    key: id,
    data: {
      disclosureId: id,
      targetAgent: agentName,
      fields,
      reason,
      revokedAt: revokedAt.toISOString(),
    },
  });
  return isSubscribed("disclosure.revoked", recipient.tokenId);
}

/** @throws ApiError INVALID_REQUEST for a field that is stated twice. */
export function assertDifferent(stated: readonly StatedField[]): void {
  const seen = new Set<Field>();
  for (const [index, { field }] of stated.entries()) {
    if (seen.has(field)) throw badRequest(`disclosures.${index}.field`, "Appears twice");
    seen.add(field);
  }
}

/**
 * The other conditions of a policy are about who asks. Here the owner chooses the recipient itself.
 * These no agent meets, and so not the public either.
 */
function assertOpen(policy: DisclosurePolicy | null, fields: readonly Field[]): void {
  const closed = fields.filter((field) =>
    ["never", "regulatory"].includes(fieldAvailability(policy, { field, published: false })),
  );
  if (closed.length === 0) return;
  throw new ApiError("FORBIDDEN", {
    message:
      "The agent's active policy discloses these fields never, or to audits only. Replace the policy first.",
    details: { fields: closed },
  });
}

/** @throws ApiError INVALID_REQUEST for a DID of another service or chain; NOT_FOUND. */
async function recipientOf({ agents, chainId }: DisclosureContext, did: string) {
  const name = nameIn(did, chainId);
  const { value } = await requireAgent(agents, byName(name));
  return { tokenId: value.soul.tokenId, did: didOf(chainId, name), name };
}

function nameIn(did: string, chainId: number): string {
  try {
    const parsed = parseDid(did, chainId);
    if (parsed.chainId === chainId) return parsed.name;
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
  }
  throw badRequest("recipientDid", "Not a DID of this service and its chain");
}
