import { randomUUID } from "node:crypto";
import { didOf } from "../../../../protocol/did.ts";
import type { Field, RequesterFacts } from "../../../../protocol/index.ts";
import { decideField, REQUEST_LIFETIME_MS } from "../../../../protocol/index.ts";
import type { Caller } from "../../../kernel/callers.ts";
import { ApiError, badRequest, isRefusal } from "../../../kernel/errors.ts";
import type { ListPage } from "../../../kernel/list-pages.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import { OutboundError } from "../../../platform/outbound/ports.ts";
import type { ChainSoul } from "../../../soul/chain-soul.ts";
import type { IndexedAgent } from "../../../soul/index-reads.ts";
import { requireAgent } from "../../../soul/require-agent.ts";
import { assertSoul } from "../../../soul/require-soul.ts";
import { byName, byTokenId, noSuchSoul } from "../../../soul/soul-ref.ts";
import type {
  DisclosureContext,
  DisclosureRequest,
  PairFacts,
  Party,
  PendingField,
  RejectedField,
  RequestPosition,
} from "../context.ts";
import { authoriseInEpoch, soulFor } from "../context.ts";
import { type ProvenField, provePublished } from "../proving.ts";

export interface RequestWish {
  readonly requesterTokenId: bigint;
  readonly targetAgentName: string;
  readonly requestedFields: readonly Field[];
  readonly reason: string;
  readonly freshnessRequired: boolean;
  readonly endpoint: string | null;
  readonly publicKey: string | null;
}

/** Open requests of one agent: of all targets, and of one. */
const MAX_OPEN = { all: 100, ofTarget: 5 } as const;

const HOUR_S = 3600;
const FRESH_HOURS = 24;

/** A request that was accepted, with the public values that answer a part of it. */
export interface AcceptedRequest {
  readonly request: DisclosureRequest;
  readonly given: readonly ProvenField[];
}

/**
 * Asks for fields of an agent. Public values are given out at once, and what its owner decides
 * about is sent to its webhooks.
 *
 * @param id Of the operation: a repetition with it asks once.
 * @throws ApiError of the caller's access; NOT_FOUND, BURNED, SUSPENDED, FORBIDDEN for either
 * agent; FORBIDDEN when every field is refused, or the target is not fresh;
 * RATE_LIMIT_EXCEEDED with too many open requests; INVALID_REQUEST.
 */
export async function requestFields(
  context: DisclosureContext,
  caller: Caller,
  wish: RequestWish,
  id: string,
): Promise<AcceptedRequest> {
  const { requests } = context;
  const { requesterTokenId, freshnessRequired } = wish;
  const { value: agent } = await requireAgent(context.agents, byName(wish.targetAgentName));
  const { tokenId } = agent.soul;
  const endpoint = await usableEndpoint(context, wish.endpoint);
  const pair = await context.pair(tokenId, requesterTokenId);
  const { target, requester } = livingPair(pair, { tokenId, requesterTokenId });
  authoriseInEpoch(requester, caller, "writes");
  assertSoul(requester, "active");
  if (tokenId === requesterTokenId) {
    throw badRequest("targetAgentName", "An agent asks others, not itself");
  }
  assertSoul(target, "active");
  if (freshnessRequired) assertFresh(agent, target);

  const published = await provePublished(context, target, agent.published?.publicFields ?? {});
  const valuesOf = ({ given }: DisclosureRequest) =>
    given.flatMap((field) => published.get(field) ?? []);
  return context.records.inTransaction(async (tx) => {
    const known = await requests.lock(tx, id);
    if (known !== null) return { request: known, given: valuesOf(known) };
    assertFew(await requests.countOpen(tx, requester, tokenId, context.clock()));
    const policy = await context.policies.active(target, tx);
    const facts = requesterFacts(pair, {
      did: didOf(context.chainId, requester.name),
      hasEndpoint: endpoint !== null,
    });
    const { given, pending, rejected } = decideAll(wish.requestedFields, (field) =>
      decideField(policy, { field, published: published.has(field) }, facts),
    );
    if (given.length + pending.length === 0) throw allRejected(rejected);

    const createdAt = context.clock();
    const isPending = pending.length > 0;
    const request: DisclosureRequest = {
      id,
      requester: partyOf(requester, context),
      target: partyOf(target, context),
      requestedFields: wish.requestedFields,
      given,
      pending,
      rejected,
      reason: wish.reason,
      freshnessRequired,
      endpoint,
      publicKey: wish.publicKey,
      webhookSent: isPending && (await context.isSubscribed("disclosure.requested", tokenId)),
      state: stateOf(given.length, isPending),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + REQUEST_LIFETIME_MS),
      answer: null,
    };
    await requests.add(tx, request);
    if (given.length > 0) await recordGiven(context, tx, request);
    if (isPending) await announce(context, tx, request);
    return { request, given: valuesOf(request) };
  });
}

/**
 * A request, for its two parties.
 *
 * @throws ApiError NOT_FOUND, for every other caller too.
 */
export async function readRequest(
  context: DisclosureContext,
  caller: Caller,
  id: string,
): Promise<DisclosureRequest> {
  const request = await context.requests.find(id);
  if (request === null) throw noSuchRequest();
  const { target, requester } = request;
  const pair = await context.pair(target.tokenId, requester.tokenId);
  const isParty = [
    { soul: pair.target, epoch: target.epoch },
    { soul: pair.requester, epoch: requester.epoch },
  ].some(({ soul, epoch }) => soul?.epoch === epoch && mayRead(soul, caller));
  if (!isParty) throw noSuchRequest();
  return { ...request, state: stateNow(request, pair, context.clock()) };
}

/**
 * Where the owner of an agent sends values of an open request; null without such a request or
 * endpoint. For the policy of a page, which is served before its owner signs in.
 */
export async function endpointOf(
  { requests, clock }: DisclosureContext,
  tokenId: bigint,
  id: string,
): Promise<string | null> {
  const request = await requests.find(id);
  if (request?.target.tokenId !== tokenId || !isOpen(request)) return null;
  return request.expiresAt > clock() ? request.endpoint : null;
}

/** Requests that wait for the owner of an agent. @throws ApiError of the caller's access. */
export async function waitingRequests(
  context: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  page: ListPage<RequestPosition>,
) {
  const soul = await soulFor(context, caller, tokenId, "live", "reads");
  const { total, requests, next } = await context.requests.waiting(soul, context.clock(), page);
  return { passportId: soul.passportId, total, requests, next };
}

/** Public values are a disclosure, too: the owner sees in its history who asked. */
async function recordGiven(
  { records }: DisclosureContext,
  tx: Transaction,
  { target, requester, given, createdAt }: DisclosureRequest,
): Promise<void> {
  const { tokenId, did, name } = requester;
  await records.add(tx, {
    id: randomUUID(),
    tokenId: target.tokenId,
    epoch: target.epoch,
    agentName: target.name,
    fields: given,
    recipient: { tokenId, did, name },
    trigger: "policy_auto",
    issuedAt: createdAt,
    expiresAt: null,
    revokedAt: null,
  });
}

async function announce(
  { events, publicUrl }: DisclosureContext,
  tx: Transaction,
  request: DisclosureRequest,
): Promise<void> {
  const { id, requester, target, pending, reason, expiresAt, endpoint, publicKey } = request;
  const isP2p = endpoint !== null && pending.some(({ p2pAvailable }) => p2pAvailable);
  const p2p = isP2p ? { requesterEndpoint: endpoint, requesterPublicKey: publicKey } : null;
  const apiRelayedUrl = new URL(`/v1/disclose/request/${id}/fulfill`, publicUrl).href;
  await events.emit(tx, {
    event: "disclosure.requested",
    tokenId: target.tokenId,
    registrationId: null,
    key: id,
    data: {
      requestId: id,
      requesterDid: requester.did,
      requesterName: requester.name,
      requesterTokenId: Number(requester.tokenId),
      requestedFields: pending.map(({ field }) => field),
      reason,
      expiresAt: expiresAt.toISOString(),
      fulfillment: { apiRelayedUrl, p2p },
    },
  });
}

const partyOf = (
  { tokenId, epoch, name }: ChainSoul,
  { chainId }: Pick<DisclosureContext, "chainId">,
): Party => ({ tokenId, epoch, name, did: didOf(chainId, name) });

/** The facts as a policy judges them. */
export function requesterFacts(
  pair: PairFacts,
  { did, hasEndpoint }: { readonly did: string; readonly hasEndpoint: boolean },
): RequesterFacts {
  return {
    purpose: "request",
    requester: { did, valid: pair.requester?.validity === "valid" },
    binding: pair.binding,
    targetOrganization: pair.targetOrganization,
    requesterOrganization: pair.requesterOrganization,
    hasEndpoint,
  };
}

/** The state of a request now: its time, and the epochs of both agents, end it without a job. */
function stateNow(
  request: DisclosureRequest,
  pair: Pick<PairFacts, "target" | "requester">,
  now: Date,
): DisclosureRequest["state"] {
  if (!isOpen(request)) return request.state;
  if (hasEndedParty(request, pair)) return "cancelled";
  return request.expiresAt <= now ? "expired" : request.state;
}

/** Whether an answer is still expected. */
export function isOpen({ state }: Pick<DisclosureRequest, "state">): boolean {
  return state === "pending_approval" || state === "partially_fulfilled";
}

/** Whether one of the two agents was resealed or burned since. */
export function hasEndedParty(
  request: DisclosureRequest,
  pair: Pick<PairFacts, "target" | "requester">,
): boolean {
  return hasEnded(pair.target, request.target) || hasEnded(pair.requester, request.requester);
}

function hasEnded(soul: ChainSoul | null, { epoch }: Party): boolean {
  return soul === null || soul.status === "BURNED" || soul.epoch !== epoch;
}

/** @throws ApiError NOT_FOUND */
export function livingPair(
  { target, requester }: PairFacts,
  ids: { readonly tokenId: bigint; readonly requesterTokenId: bigint },
): { readonly target: ChainSoul; readonly requester: ChainSoul } {
  if (requester === null) throw noSuchSoul(byTokenId(ids.requesterTokenId));
  if (target === null) throw noSuchSoul(byTokenId(ids.tokenId));
  return { target, requester };
}

export function noSuchRequest(): ApiError {
  return new ApiError("NOT_FOUND", { message: "There is no disclosure request with this id." });
}

function mayRead(soul: ChainSoul, caller: Caller): boolean {
  try {
    authoriseInEpoch(soul, caller, "reads");
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function usableEndpoint({ receivers }: DisclosureContext, url: string | null) {
  if (url === null) return null;
  try {
    return await receivers.assertPublicUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw badRequest("disclosureEndpoint", error.message);
  }
}

/** In chain time, in which snapshots are dated. */
function assertFresh({ soul: { alignmentAt } }: IndexedAgent, { blockTime }: ChainSoul): void {
  const ageHours = alignmentAt === null ? null : Number(blockTime - alignmentAt) / HOUR_S;
  if (ageHours !== null && ageHours < FRESH_HOURS) return;
  throw new ApiError("FORBIDDEN", {
    message:
      ageHours === null
        ? "The agent has no alignment snapshot, and the request requires a fresh one."
        : "The agent's last alignment snapshot is too old, and the request requires a fresh one.",
    details: {
      snapshotAgeHours: ageHours === null ? null : Math.floor(ageHours),
      maxAgeHours: FRESH_HOURS,
    },
  });
}

function assertFew({ all, ofTarget }: { readonly all: number; readonly ofTarget: number }): void {
  const isOver = all >= MAX_OPEN.all || ofTarget >= MAX_OPEN.ofTarget;
  if (!isOver) return;
  throw new ApiError("RATE_LIMIT_EXCEEDED", {
    message: `An agent has at most ${MAX_OPEN.ofTarget} open requests to one agent, and ${MAX_OPEN.all} in all. Wait for answers.`,
    details: { openRequests: all, openRequestsToAgent: ofTarget },
    retryAfter: HOUR_S,
  });
}

function decideAll(
  fields: readonly Field[],
  decide: (field: Field) => ReturnType<typeof decideField>,
) {
  const given: Field[] = [];
  const pending: PendingField[] = [];
  const rejected: RejectedField[] = [];
  for (const field of fields) {
    const decision = decide(field);
    if (decision.outcome === "public") given.push(field);
    else if (decision.outcome === "refused") rejected.push({ field, reason: decision.reason });
    else {
      const { mode, p2pAvailable } = decision;
      pending.push({ field, mode, p2pAvailable });
    }
  }
  return { given, pending, rejected };
}

function stateOf(given: number, isPending: boolean): DisclosureRequest["state"] {
  if (!isPending) return "fulfilled";
  return given > 0 ? "partially_fulfilled" : "pending_approval";
}

function allRejected(rejected: readonly RejectedField[]): ApiError {
  return new ApiError("FORBIDDEN", {
    message: "The agent's policy discloses none of these fields to this requester.",
    details: { rejected },
  });
}
