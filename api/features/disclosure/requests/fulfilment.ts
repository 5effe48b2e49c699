import { randomUUID } from "node:crypto";
import type { DisclosureExpiry, DisclosurePolicy, Field } from "../../../../protocol/index.ts";
import { decideField, disclosureExpiresAt, FALLBACK_EXPIRY } from "../../../../protocol/index.ts";
import type { Caller } from "../../../kernel/callers.ts";
import { ApiError, badRequest } from "../../../kernel/errors.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import { assertSoul } from "../../../soul/require-soul.ts";
import type { AgentEvent } from "../../webhooks/index.ts";
import type { DisclosureContext, DisclosureRequest, PairFacts, RequestAnswer } from "../context.ts";
import { authoriseInEpoch } from "../context.ts";
import { assertDifferent, disclosureStatus } from "../disclosures.ts";
import { type ProvenField, proveStated, type StatedField } from "../proving.ts";
import { hasEndedParty, isOpen, livingPair, noSuchRequest, requesterFacts } from "./requests.ts";

/** After so long without a result, a try to send values died with its process. */
const SENDING_MS = 60_000;

/** What an owner answers. */
interface OwnerAnswer {
  readonly tokenId: bigint;
  readonly requestId: string;
  readonly deniedFields: readonly Field[];
  readonly expiresIn: DisclosureExpiry | undefined;
}

/**
 * Answers a request through the service: the values are proved, recorded by their fields, and
 * sent to the requester's webhooks from memory. Each request is answered once, in one transaction
 * that locks it: of two sessions that answer at once, one is refused. An owner whose values did not
 * arrive sends them again.
 *
 * @throws ApiError of the caller's access; NOT_FOUND; GONE for a request that has ended;
 * FORBIDDEN when the policy does not let the requester have a field, or not in this way;
 * INVALID_REQUEST; of `proveStated`.
 */
export async function fulfilRequest(
  context: DisclosureContext,
  caller: Caller,
  wish: OwnerAnswer & { readonly disclosures: readonly StatedField[] },
) {
  assertDifferent(wish.disclosures);
  const { pair, target } = await readPair(context, caller, wish);
  const proven = await proveStated(context, target, wish.disclosures);
  const stated = wish.disclosures.map(({ field }) => field);
  const { request, answer } = await context.records.inTransaction((tx) =>
    answerLocked(context, tx, pair, stated, { ...wish, mode: "api_relayed" }),
  );
  const deliveryProblem = await send(context, request, answer, proven);
  return { answer, proven, deliveryProblem };
}

/**
 * Records that the owner answered from peer to peer. No value is involved.
 *
 * @throws ApiError as {@link fulfilRequest}.
 */
export async function confirmDelivery(
  context: DisclosureContext,
  caller: Caller,
  wish: OwnerAnswer & { readonly fields: readonly Field[] },
): Promise<RequestAnswer> {
  const { pair } = await readPair(context, caller, wish);
  const { answer } = await context.records.inTransaction((tx) =>
    answerLocked(context, tx, pair, wish.fields, { ...wish, mode: "p2p_direct" }),
  );
  return answer;
}

/** @throws ApiError of the caller's access; NOT_FOUND; SUSPENDED, BURNED. */
async function readPair(
  context: DisclosureContext,
  caller: Caller,
  { tokenId, requestId }: OwnerAnswer,
) {
  const request = await context.requests.find(requestId);
  if (request?.target.tokenId !== tokenId) throw noSuchRequest();
  const requesterTokenId = request.requester.tokenId;
  const pair = await context.pair(tokenId, requesterTokenId);
  const { target } = livingPair(pair, { tokenId, requesterTokenId });
  authoriseInEpoch(target, caller, "writes");
  assertSoul(target, "active");
  return { pair, target };
}

/** Answers the locked request, or finds that these values are to be sent again. */
async function answerLocked(
  context: DisclosureContext,
  tx: Transaction,
  pair: PairFacts,
  stated: readonly Field[],
  wish: OwnerAnswer & Pick<RequestAnswer, "mode">,
): Promise<{ readonly request: DisclosureRequest; readonly answer: RequestAnswer }> {
  const { requests } = context;
  const request = await requests.lock(tx, wish.requestId);
  if (request === null) throw noSuchRequest();
  const now = context.clock();
  assertNotEnded(request, pair, now);
  assertRequested(request, stated, wish);
  const policy = await context.policies.active(request.target, tx);
  assertAllowed(request, policy, pair, stated, wish.mode);

  const again = repeated(request, stated, wish.mode, now);
  if (again !== null) {
    await assertNotRevoked(context, tx, request, again);
    await requests.answer(tx, request.id, again);
    return { request, answer: again };
  }
  if (!isOpen(request)) {
    throw new ApiError("GONE", { message: "This request has been answered already." });
  }
  const expiresIn = wish.expiresIn ?? policy?.defaultExpiry ?? FALLBACK_EXPIRY;
  const answer = firstAnswer(request, stated, wish.mode, expiresIn, now);
  if (answer.disclosureId !== null) {
    const { tokenId, did, name } = request.requester;
    await context.records.add(tx, {
      id: answer.disclosureId,
      tokenId: request.target.tokenId,
      epoch: request.target.epoch,
      agentName: request.target.name,
      fields: answer.fulfilled,
      recipient: { tokenId, did, name },
      trigger: wish.mode === "api_relayed" ? "disclosure_request" : "disclosure_request_p2p",
      issuedAt: now,
      expiresAt: answer.expiresAt,
      revokedAt: null,
    });
  }
  await requests.answer(tx, request.id, answer);
  return { request, answer };
}

/** @throws ApiError GONE when the disclosure of an answer was revoked or has expired since. */
async function assertNotRevoked(
  { records }: DisclosureContext,
  tx: Transaction,
  { target }: DisclosureRequest,
  { disclosureId, at }: RequestAnswer,
): Promise<void> {
  if (disclosureId === null) return;
  const record = await records.lock(tx, target, disclosureId);
  const status = record === null ? "revoked" : disclosureStatus(record, at);
  if (status === "active") return;
  const end = status === "revoked" ? "was revoked" : "has expired";
  throw new ApiError("GONE", {
    message: `This answer's disclosure ${end}, and its values are not sent again.`,
  });
}

/**
 * Sends the values once. A failure is reported to the owner, and does not reopen the request.
 *
 * @returns why no webhook of the requester accepted them; null when one did.
 */
async function send(
  { requests, sendOnce, unsent }: DisclosureContext,
  request: DisclosureRequest,
  { attempts, denied, expiresAt }: RequestAnswer,
  proven: readonly ProvenField[],
): Promise<string | null> {
  let problem: string | null = "The service could not send the values.";
  try {
    const { tokenId, epoch } = request.requester;
    const event: AgentEvent = {
      event: "disclosure.fulfilled",
      tokenId,
      registrationId: null,
      key: `${request.id}:${attempts}`,
      data: {
        requestId: request.id,
        targetAgent: request.target.name,
        mode: "api_relayed",
        fulfilled: proven.map(({ field, value, merkleProof, merkleRoot }) => ({
          field,
          value,
          merkleProof,
          merkleRoot,
        })),
        denied,
        expiresAt: expiresAt?.toISOString() ?? null,
      },
    };
    problem = (await sendOnce(event, epoch)).problem;
  } catch {
    // The error is not passed on: it may hold what was sent.
    unsent(request.id);
  }
  await requests.notified(request.id, attempts, problem === null);
  return problem;
}

/** @throws ApiError GONE. An answer is sent again only within the time of its request. */
function assertNotEnded(request: DisclosureRequest, pair: PairFacts, now: Date): void {
  if (request.state === "cancelled" || hasEndedParty(request, pair)) {
    throw new ApiError("GONE", {
      message: "This request was cancelled: one of its agents was resealed or burned.",
    });
  }
  if (request.state === "expired" || request.expiresAt <= now) {
    throw new ApiError("GONE", { message: "This request has expired." });
  }
}

/** @throws ApiError INVALID_REQUEST for a field that is not pending, or both stated and denied. */
function assertRequested(
  { pending }: DisclosureRequest,
  stated: readonly Field[],
  { deniedFields, mode }: { readonly deniedFields: readonly Field[]; readonly mode: string },
): void {
  const asked = new Set(pending.map(({ field }) => field));
  const path = (index: number) =>
    mode === "p2p_direct" ? `fulfilledFields.${index}` : `disclosures.${index}.field`;
  for (const [index, field] of stated.entries()) {
    if (!asked.has(field))
      throw badRequest(path(index), "The request does not ask its owner for it");
    if (deniedFields.includes(field)) throw badRequest(path(index), "It is denied, too");
    if (stated.indexOf(field) < index) throw badRequest(path(index), "Appears twice");
  }
  for (const [index, field] of deniedFields.entries()) {
    if (asked.has(field)) continue;
    throw badRequest(`deniedFields.${index}`, "The request does not ask its owner for it");
  }
  if (stated.length + deniedFields.length === 0) {
    throw badRequest("deniedFields", "Disclose or deny at least one field");
  }
}

/** @throws ApiError FORBIDDEN for a field that the requester may not have now, or not in this way. */
function assertAllowed(
  request: DisclosureRequest,
  policy: DisclosurePolicy | null,
  pair: PairFacts,
  stated: readonly Field[],
  mode: RequestAnswer["mode"],
): void {
  const hasEndpoint = request.endpoint !== null;
  const facts = requesterFacts(pair, { did: request.requester.did, hasEndpoint });
  for (const field of stated) {
    const decision = decideField(policy, { field, published: false }, facts);
    if (decision.outcome === "refused") {
      throw new ApiError("FORBIDDEN", {
        message: `The agent's policy does not disclose ${field} to this requester now.`,
        details: { field, reason: decision.reason },
      });
    }
    const isWay =
      decision.outcome === "public" ||
      (mode === "api_relayed" ? decision.mode !== "p2p" : decision.p2pAvailable);
    if (!isWay) {
      throw new ApiError("FORBIDDEN", {
        message:
          mode === "api_relayed"
            ? `The agent's policy discloses ${field} from peer to peer only.`
            : `${field} cannot be disclosed from peer to peer: the policy or the request does not provide for it.`,
        details: { field, mode },
      });
    }
  }
}

/** The same answer once more, where its values did not arrive; null for a first answer. */
function repeated(
  { answer }: DisclosureRequest,
  stated: readonly Field[],
  mode: RequestAnswer["mode"],
  now: Date,
): RequestAnswer | null {
  if (answer === null || answer.mode !== "api_relayed" || mode !== "api_relayed") return null;
  const isSame =
    stated.length === answer.fulfilled.length &&
    stated.every((field) => answer.fulfilled.includes(field));
  const isLost =
    answer.requesterNotified === null && now.getTime() - answer.at.getTime() > SENDING_MS;
  if (!isSame || !(answer.requesterNotified === false || isLost)) return null;
  return { ...answer, at: now, requesterNotified: null, attempts: answer.attempts + 1 };
}

function firstAnswer(
  { pending }: DisclosureRequest,
  stated: readonly Field[],
  mode: RequestAnswer["mode"],
  expiresIn: DisclosureExpiry,
  now: Date,
): RequestAnswer {
  return {
    mode,
    fulfilled: stated,
    // What an answer leaves out is denied: the request ends with it.
    denied: pending.map(({ field }) => field).filter((field) => !stated.includes(field)),
    disclosureId: stated.length === 0 ? null : randomUUID(),
    expiresAt: stated.length === 0 ? null : disclosureExpiresAt(expiresIn, now),
    at: now,
    requesterNotified: null,
    attempts: 1,
  };
}
