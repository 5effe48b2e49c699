import { randomBytes } from "node:crypto";
import type { Address } from "viem";
import { hexToBytes } from "viem";
import type { ChronicleCategory, RecordEvolutionMessage } from "../../../protocol/index.ts";
import { authoriseOn } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import type { ChronicleDeployment, ChronicleInput } from "./content.ts";
import { chronicleDraft, evolutionMessage } from "./content.ts";
import { openSalt } from "./entries.ts";
import { type RevisedFile, revisedFileOf } from "./evolutions.ts";

/** A chronicle that an agent asks its owner to sign. */
export interface ChronicleRequest {
  /** `chr_` and 128 random bits: who has it may read the request. */
  readonly id: string;
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly epoch: number;
  readonly category: ChronicleCategory;
  readonly changeType: string;
  /** The public part. */
  readonly data: Readonly<Record<string, unknown>>;
  /** A new soul's salt, bound to the request's id; null without one. */
  readonly saltEncrypted: Buffer | null;
  readonly description: string | null;
  readonly nonce: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly submittedAt: Date | null;
  readonly operationKey: string;
}

export interface ChronicleRequestStore {
  /** Adds a request; one that the same operation added before is returned as it is. */
  insert(request: ChronicleRequest): Promise<ChronicleRequest>;
  find(id: string): Promise<ChronicleRequest | null>;
  markSubmitted(id: string, at: Date): Promise<void>;
}

/** A request as its owner sees it, ready to be signed. */
export interface OpenRequest {
  readonly request: ChronicleRequest;
  readonly status: "pending" | "submitted";
  /** Null once it was submitted. */
  readonly message: RecordEvolutionMessage | null;
  /** Who can sign it now; null once it was submitted. */
  readonly owner: Address | null;
}

export interface ChronicleRequestDeps {
  readonly deployment: ChronicleDeployment;
  readonly revisedFile: RevisedFile;
  readonly souls: ChainSouls;
  readonly store: ChronicleRequestStore;
  readonly secrets: Secrets;
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

const LIFE_MS = 24 * 60 * 60 * 1000;
const NO_REQUEST = "No request has this id. Open the link again as the agent gave it.";
const NOT_SIGNED = "This request was not signed in time. The agent can ask again.";
const REQUEST_ID = /^chr_[A-Za-z0-9_-]{22}$/;

export type ChronicleRequestService = ReturnType<typeof createChronicleRequestService>;

/** What agents ask their owners to sign. */
export function createChronicleRequestService(deps: ChronicleRequestDeps) {
  const { souls, store, secrets, clock } = deps;

  /** Keeps a request for its owner, for 24 hours. */
  async function create(
    input: ChronicleInput & { readonly description: string | null },
    caller: Caller,
    operationKey: string,
  ): Promise<ChronicleRequest> {
    const draft = chronicleDraft(input);
    if (caller.kind === "anonymous") throw new ApiError("UNAUTHORIZED");
    const { tokenId } = draft;
    const soul = await requireSoul(souls, tokenId, "registered");
    authoriseOn(soul, caller, "writes");
    assertSoul(soul, "active");
    const id = `chr_${randomBytes(16).toString("base64url")}`;
    const createdAt = clock();
    const salt = draft.effect.kind === "soul_revision" ? draft.effect.soulSalt : null;
    return store.insert({
      id,
      operationKey,
      createdAt,
      submittedAt: null,
      tokenId: draft.tokenId,
      agentName: soul.name,
      epoch: soul.epoch,
      category: draft.category,
      changeType: draft.changeType,
      // Validated again when the request is opened. Fields that are absent here follow from the category.
      data: { ...draft.data, changeType: draft.changeType },
      saltEncrypted: salt && secrets.encrypt(SALT_PURPOSE, hexToBytes(salt), id),
      description: input.description,
      nonce: deps.randomNonce(),
      expiresAt: new Date(createdAt.getTime() + LIFE_MS),
    });
  }

  /** @throws ApiError NOT_FOUND; GONE once it expired, or its agent was resealed or burned. */
  async function open(id: string): Promise<OpenRequest> {
    const request = await requestWith(deps, id);
    if (request.submittedAt !== null) {
      return { request, status: "submitted", message: null, owner: null };
    }
    const { tokenId } = request;
    const soul = await requireSoul(souls, tokenId, "registered");
    const owner = ownerOf(soul);
    if (owner === null || soul.epoch !== request.epoch) {
      throw new ApiError("GONE", { message: "The agent has been sold, resealed or burned since." });
    }
    const draft = chronicleDraft(request);
    const file = await revisedFileOf(deps.revisedFile, draft, soul);
    const message = evolutionMessage(draft, soul, deps.deployment, {
      agentURI: file?.uri ?? "",
      nonce: request.nonce,
      deadline: unixSeconds(request.expiresAt),
    });
    return { request, status: "pending", message, owner };
  }

  /**
   * The body to submit for a request, with the salt that only the service stored.
   *
   * @throws ApiError NOT_FOUND, GONE; INVALID_REQUEST when it is about another agent.
   */
  async function fill(id: string, input: ChronicleInput): Promise<ChronicleInput> {
    const request = await requestWith(deps, id);
    if (request.tokenId !== input.tokenId) {
      throw badRequest("requestId", "It is about another agent");
    }
    if (request.saltEncrypted === null || input.data.newSoulSalt !== undefined) return input;
    const newSoulSalt = openSalt(secrets, request.saltEncrypted, id);
    return { ...input, data: { ...input.data, newSoulSalt } };
  }

  return { create, open, fill, submitted: (id: string) => store.markSubmitted(id, clock()) };
}

async function requestWith(
  { store, clock }: ChronicleRequestDeps,
  id: string,
): Promise<ChronicleRequest> {
  const request = REQUEST_ID.test(id) ? await store.find(id) : null;
  if (!request) throw new ApiError("NOT_FOUND", { message: NO_REQUEST });
  if (request.submittedAt === null && request.expiresAt < clock()) {
    throw new ApiError("GONE", { message: NOT_SIGNED });
  }
  return request;
}
