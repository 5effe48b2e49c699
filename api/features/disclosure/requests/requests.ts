import { didOf } from "../../../../protocol/did.ts";
import type {
  DisclosureMode,
  DisclosurePolicy,
  Field,
  RefusalReason,
} from "../../../../protocol/index.ts";
import { decideField, REQUEST_LIFETIME_MS } from "../../../../protocol/index.ts";
import type { Caller } from "../../../kernel/callers.ts";
import { ApiError, badRequest, isRefusal } from "../../../kernel/errors.ts";
import type { ListPage } from "../../../kernel/list-pages.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { OutboundHttp } from "../../../platform/outbound/ports.ts";
import { OutboundError } from "../../../platform/outbound/ports.ts";
import type { ChainSoul, ChainSouls } from "../../../soul/chain-soul.ts";
import type { IndexedAgent, IndexedAgents } from "../../../soul/index-reads.ts";
import { requireAgent } from "../../../soul/require-agent.ts";
import { assertSoul, requireSoul } from "../../../soul/require-soul.ts";
import { byName, byTokenId, noSuchSoul, type SoulEpoch } from "../../../soul/soul-ref.ts";
import type { EventSink } from "../../webhooks/index.ts";
import { authoriseInEpoch } from "../acting.ts";
import type { DisclosureStore } from "../disclosures.ts";
import type { FieldProver, ProvenField } from "../proving.ts";
import type { PairFacts, PairReads } from "./facts.ts";
import { requesterFacts } from "./facts.ts";

/**
 * - `pending_approval`: every field that was not refused needs its owner.
 * - `partially_fulfilled`: public values were given out, and other fields need the owner.
 * - `fulfilled`: it was answered.
 * - `expired`: seven days passed without an answer.
 * - `cancelled`: one of the two agents was resealed or burned.
 */
export const REQUEST_STATES = [
  "pending_approval",
  "partially_fulfilled",
  "fulfilled",
  "expired",
  "cancelled",
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** One of the two agents of a request, in the epoch of the request. */
export interface Party extends SoulEpoch {
  readonly name: string;
  readonly did: string;
}

/** A field that its owner decides about. */
export interface PendingField {
  readonly field: Field;
  readonly mode: DisclosureMode;
  readonly p2pAvailable: boolean;
}

export interface RejectedField {
  readonly field: Field;
  readonly reason: RefusalReason;
}

/** How a request was answered: never with a value. */
export interface RequestAnswer {
  readonly mode: "api_relayed" | "p2p_direct";
  readonly fulfilled: readonly Field[];
  readonly denied: readonly Field[];
  /** Null when nothing was disclosed. */
  readonly disclosureId: string | null;
  readonly expiresAt: Date | null;
  readonly at: Date;
  /** Null while the values are being sent, and where the owner sent them. */
  readonly requesterNotified: boolean | null;
  /** How often the service sent the values. */
  readonly attempts: number;
}

/** A request as stored. */
export interface DisclosureRequest {
  readonly id: string;
  readonly requester: Party;
  readonly target: Party;
  readonly requestedFields: readonly Field[];
  readonly given: readonly Field[];
  readonly pending: readonly PendingField[];
  readonly rejected: readonly RejectedField[];
  readonly reason: string;
  readonly freshnessRequired: boolean;
  readonly endpoint: string | null;
  readonly publicKey: string | null;
  readonly webhookSent: boolean;
  readonly state: RequestState;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly answer: RequestAnswer | null;
}

/** Requests. @typeParam Transaction the database module's transaction. */
export interface RequestStore {
  find(id: string): Promise<DisclosureRequest | null>;
  /** Locked until the transaction's end. */
  lock(transaction: Transaction, id: string): Promise<DisclosureRequest | null>;
  /** Requests of a requester that are open at a time, of all and of this target. No other is added meanwhile. */
  countOpen(
    transaction: Transaction,
    requester: SoulEpoch,
    targetTokenId: bigint,
    at: Date,
  ): Promise<{ readonly all: number; readonly ofTarget: number }>;
  add(transaction: Transaction, request: DisclosureRequest): Promise<void>;
  answer(transaction: Transaction, id: string, answer: RequestAnswer): Promise<void>;
  /** Records how one try to send values ended. */
  notified(id: string, attempt: number, wasTaken: boolean): Promise<void>;
  end(transaction: Transaction, id: string, state: "expired" | "cancelled"): Promise<void>;
  /** Requests to a target that are open at a time, the oldest first. */
  waiting(
    target: SoulEpoch,
    at: Date,
    page: ListPage<RequestPosition>,
  ): Promise<{
    readonly total: number;
    readonly requests: readonly DisclosureRequest[];
    /** Where the next page begins; null on the last page. */
    readonly next: RequestPosition | null;
  }>;
  /** Open requests that have expired, locked, without those that are locked already. */
  due(transaction: Transaction, at: Date, limit: number): Promise<readonly DisclosureRequest[]>;
}

/** Where a request is in the list of those that wait. */
export type RequestPosition = Pick<DisclosureRequest, "createdAt" | "id">;

export interface RequestWish {
  readonly requesterTokenId: bigint;
  readonly targetAgentName: string;
  readonly requestedFields: readonly Field[];
  readonly reason: string;
  readonly freshnessRequired: boolean;
  readonly endpoint: string | null;
  readonly publicKey: string | null;
}

export interface RequestDeps {
  readonly store: RequestStore;
  readonly disclosures: Pick<DisclosureStore, "inTransaction" | "add">;
  readonly activePolicy: (
    transaction: Transaction,
    soul: SoulEpoch,
  ) => Promise<DisclosurePolicy | null>;
  readonly chain: PairReads;
  readonly agents: IndexedAgents;
  readonly souls: ChainSouls;
  readonly prover: FieldProver;
  readonly events: EventSink;
  readonly isSubscribed: (event: "disclosure.requested", tokenId: bigint) => Promise<boolean>;
  readonly outbound: Pick<OutboundHttp, "assertPublicUrl">;
  /** Where the owner answers a request through the service. */
  readonly fulfilUrl: (requestId: string) => string;
  readonly chainId: number;
  readonly clock: () => Date;
  readonly newId: () => string;
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

export type DisclosureRequests = ReturnType<typeof createRequests>;

/** Requests of agents for fields of others. */
export function createRequests(deps: RequestDeps) {
  const { store, chain, clock, chainId } = deps;
  const partyOf = ({ tokenId, epoch, name }: ChainSoul): Party => ({
    tokenId,
    epoch,
    name,
    did: didOf(chainId, name),
  });

  return {
    /**
     * Asks for fields of an agent. Public values are given out at once, and what its owner decides
     * about is sent to its webhooks.
     *
     * @param id Of the operation: a repetition with it asks once.
     * @throws ApiError of the caller's access; NOT_FOUND, BURNED, SUSPENDED, FORBIDDEN for either
     * agent; FORBIDDEN when every field is refused, or the target is not fresh;
     * RATE_LIMIT_EXCEEDED with too many open requests; INVALID_REQUEST.
     */
    async request(caller: Caller, wish: RequestWish, id: string): Promise<AcceptedRequest> {
      const { requesterTokenId, requestedFields, freshnessRequired } = wish;
      const { value: agent } = await requireAgent(deps.agents, byName(wish.targetAgentName));
      const { tokenId } = agent.soul;
      const endpoint = await usableEndpoint(wish.endpoint, deps.outbound);
      const pair = await chain.pair(tokenId, requesterTokenId);
      const { target, requester } = livingPair(pair, { tokenId, requesterTokenId });
      authoriseInEpoch(requester, caller, "writes");
      assertSoul(requester, "active");
      if (tokenId === requesterTokenId) {
        throw badRequest("targetAgentName", "An agent asks others, not itself");
      }
      assertSoul(target, "active");
      if (freshnessRequired) assertFresh(agent, target);

      const published = await deps.prover.provePublished(
        target,
        agent.published?.publicFields ?? {},
      );
      return deps.disclosures.inTransaction(async (tx) => {
        const known = await store.lock(tx, id);
        if (known !== null) {
          return {
            request: known,
            given: known.given.flatMap((field) => published.get(field) ?? []),
          };
        }
        await assertFew(await store.countOpen(tx, requester, tokenId, clock()));
        const policy = await deps.activePolicy(tx, target);
        const facts = requesterFacts(pair, {
          did: didOf(chainId, requester.name),
          hasEndpoint: endpoint !== null,
        });
        const decided = decideAll(requestedFields, (field) =>
          decideField(policy, { field, published: published.has(field) }, facts),
        );
        const { given, pending, rejected } = decided;
        if (given.length + pending.length === 0) throw allRejected(rejected);

        const createdAt = clock();
        const isPending = pending.length > 0;
        const webhookSent = isPending && (await deps.isSubscribed("disclosure.requested", tokenId));
        const request: DisclosureRequest = {
          id,
          requester: partyOf(requester),
          target: partyOf(target),
          requestedFields,
          given,
          pending,
          rejected,
          reason: wish.reason,
          freshnessRequired,
          endpoint,
          publicKey: wish.publicKey,
          webhookSent,
          state: stateOf(given.length, isPending),
          createdAt,
          expiresAt: new Date(createdAt.getTime() + REQUEST_LIFETIME_MS),
          answer: null,
        };
        await store.add(tx, request);
        if (given.length > 0) await recordGiven(tx, request);
        if (isPending) await announce(tx, request);
        return { request, given: given.flatMap((field) => published.get(field) ?? []) };
      });
    },

    /**
     * A request, for its two parties.
     *
     * @throws ApiError NOT_FOUND, for every other caller too.
     */
    async read(caller: Caller, id: string): Promise<DisclosureRequest> {
      const request = await store.find(id);
      if (request === null) throw noSuchRequest();
      const { target, requester } = request;
      const pair = await chain.pair(target.tokenId, requester.tokenId);
      const isParty = [
        { soul: pair.target, epoch: target.epoch },
        { soul: pair.requester, epoch: requester.epoch },
      ].some(({ soul, epoch }) => soul?.epoch === epoch && mayRead(soul, caller));
      if (!isParty) throw noSuchRequest();
      return { ...request, state: stateNow(request, pair, clock()) };
    },

    /**
     * Where the owner of an agent sends values of an open request; null without such a request or
     * endpoint. For the policy of a page, which is served before its owner signs in.
     */
    async endpointOf(tokenId: bigint, id: string): Promise<string | null> {
      const request = await store.find(id);
      if (request?.target.tokenId !== tokenId || !isOpen(request)) return null;
      return request.expiresAt > clock() ? request.endpoint : null;
    },

    /** Requests that wait for the owner of an agent. @throws ApiError of the caller's access. */
    async waiting(caller: Caller, tokenId: bigint, page: ListPage<RequestPosition>) {
      const soul = await requireSoul(deps.souls, tokenId, "live");
      authoriseInEpoch(soul, caller, "reads");
      return { passportId: soul.passportId, ...(await store.waiting(soul, clock(), page)) };
    },
  };

  /** Public values are a disclosure, too: the owner sees in its history who asked. */
  async function recordGiven(tx: Transaction, request: DisclosureRequest): Promise<void> {
    const { target, requester, given, createdAt } = request;
    const { tokenId, did, name } = requester;
    await deps.disclosures.add(tx, {
      id: deps.newId(),
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

  async function announce(tx: Transaction, request: DisclosureRequest): Promise<void> {
    const { id, requester, target, pending, reason, expiresAt, endpoint, publicKey } = request;
    const isP2p = endpoint !== null && pending.some(({ p2pAvailable }) => p2pAvailable);
    const p2p = isP2p ? { requesterEndpoint: endpoint, requesterPublicKey: publicKey } : null;
    await deps.events.emit(tx, {
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
        fulfillment: { apiRelayedUrl: deps.fulfilUrl(id), p2p },
      },
    });
  }
}

/** The state of a request now: its time, and the epochs of both agents, end it without a job. */
function stateNow(
  request: DisclosureRequest,
  pair: Pick<PairFacts, "target" | "requester">,
  now: Date,
): RequestState {
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

async function usableEndpoint(
  url: string | null,
  outbound: Pick<OutboundHttp, "assertPublicUrl">,
): Promise<string | null> {
  if (url === null) return null;
  try {
    return await outbound.assertPublicUrl(url);
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

function stateOf(given: number, isPending: boolean): RequestState {
  if (!isPending) return "fulfilled";
  return given > 0 ? "partially_fulfilled" : "pending_approval";
}

function allRejected(rejected: readonly RejectedField[]): ApiError {
  return new ApiError("FORBIDDEN", {
    message: "The agent's policy discloses none of these fields to this requester.",
    details: { rejected },
  });
}
