import { randomBytes, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { bytesToHex } from "viem";
import type { AgentTypeIndex, CcsfDocument, Field, FieldLeaf } from "../../../protocol/index.ts";
import type { StoredKey } from "../../kernel/api-keys.ts";
import { apiKeyOf, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import type { HashedSoul } from "../../soul/text/agent-soul.ts";
import { documentHash, PERSONALITY_DOCUMENT_ID } from "../../soul/text/agent-soul.ts";
import type { SoulReader } from "../../soul/text/soul-tasks.ts";
import type { DeclaredDocument } from "../documents/index.ts";
import type { NameChallenge, NameService } from "../names/index.ts";
import { isRightAnswer } from "../names/index.ts";
import type { PublicIdentity } from "../registration/index.ts";

/** How long an agent has for its answer. The name is reserved for it meanwhile. */
const CHALLENGE_MS = 10 * 60 * 1000;
/** How long an owner has to claim. */
const CLAIM_MS = 24 * 60 * 60 * 1000;

/** A public text of an agent, part of what is sealed. */
export interface PersonalityDocument {
  readonly title: string;
  readonly content: string;
  readonly immutable: boolean;
}

/** An agent's request for its registration. */
export interface AgentRegistrationRequest {
  readonly agentName: string;
  readonly agentType: AgentTypeIndex;
  /** Private. */
  readonly systemPrompt: string;
  readonly sourceFormat: string;
  readonly publicFields: readonly Field[];
  readonly publicIdentity: PublicIdentity;
  /** Public, and part of the soul; null keeps the text's own description. */
  readonly agentDescription: string | null;
  readonly personalityDocument: PersonalityDocument | null;
  readonly birthBundle: BirthBundle | null;
  /** The passport to bind; null for a new one. */
  readonly erc8004AgentId: bigint | null;
}

/**
 * The public part of an unclaimed registration: its owner sees it, and publishes it by claiming.
 */
export interface StagedContent extends Omit<HashedSoul, "merkleLeaves"> {
  readonly agentType: AgentTypeIndex;
  readonly sourceFormat: string;
  readonly publicFields: Readonly<Partial<Record<Field, unknown>>>;
  readonly publicIdentity: PublicIdentity;
  readonly agentDescription: string | null;
  readonly birthBundle: BirthBundle | null;
  readonly erc8004AgentId: bigint | null;
  /** About the personality document: what the soul commits to, and how it is shown. */
  readonly document: DeclaredDocument | null;
}

export interface NewAgentRegistration {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly operationKey: string;
  readonly agentName: string;
  readonly address: string;
  readonly content: StagedContent;
  /** Bound to `id`. */
  readonly saltEncrypted: Buffer;
  readonly leaves: readonly FieldLeaf[];
  /** Text of the personality document. */
  readonly documentText: string | null;
  readonly apiKey: StoredKey;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The stored part of an operation's answer. */
export interface AnsweredRegistration {
  readonly id: string;
  readonly agentName: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** How many names one address may reserve without an owner's signature. */
export interface PendingLimits {
  readonly challenges: number;
  readonly registrations: number;
}

export interface AgentRegistrationStore {
  /**
   * Stores the challenge, and reserves its name unless it is reserved already.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED when the address has its maximum of reserved names.
   */
  insertChallenge(
    challenge: NameChallenge,
    lock: { readonly address: string; readonly limit: number } | null,
  ): Promise<{ readonly locked: boolean }>;
  findChallenge(id: string): Promise<(NameChallenge & { readonly usedBy: string | null }) | null>;
  /**
   * In one transaction: consumes the challenge, makes the name's reservation permanent, stores the
   * registration and its key.
   *
   * @throws ApiError NONCE_USED or NONCE_EXPIRED for the challenge; NAME_TAKEN when the name is
   * reserved for another registration; RATE_LIMIT_EXCEEDED when the address has its maximum of
   * unclaimed registrations.
   */
  insert(registration: NewAgentRegistration, challengeId: string, limit: number): Promise<void>;
  findByOperation(operationKey: string): Promise<AnsweredRegistration | null>;
  /**
   * Deletes unclaimed registrations: frees names, ends keys and webhooks, deletes the content. At
   * most `limit` at once.
   *
   * @returns how many were deleted.
   */
  deleteExpired(deadlineBefore: Date, at: Date, limit: number): Promise<number>;
  /** Deletes expired challenges and soft locks. */
  deleteEndedChallenges(at: Date): Promise<void>;
}

export interface AgentRegistrationDeps {
  readonly store: AgentRegistrationStore;
  readonly names: Pick<NameService, "check">;
  /** The time of a settled block. Rejects with CHAIN_UNAVAILABLE. */
  readonly settledTime: () => Promise<Date>;
  readonly souls: SoulReader;
  readonly secrets: Secrets;
  readonly links: Links;
  readonly limits: PendingLimits;
  readonly clock: () => Date;
}

/** The answer to the agent. Its token id is assigned at the claim. */
export interface AgentRegistered {
  readonly registrationId: string;
  readonly agentName: string;
  readonly profileUrl: string;
  readonly claimUrl: string;
  readonly apiKey: string;
  readonly claimExpiresAt: Date;
}

export type AgentRegistrationService = ReturnType<typeof createAgentRegistration>;

export const REGISTRATION_SALT_PURPOSE = "agent-registration-salt";
const TOKEN_PURPOSE = "agent-registration-id";
const KEY_PURPOSE = "agent-registration-key";
/** 128 bits in base64url. */
export const REGISTRATION_TOKEN = /^[A-Za-z0-9_-]{22}$/;
const TOKEN_BYTES = 16;
const DELETED_AT_ONCE = 100;

/** Registration by the agent itself, up to the moment that its owner can claim it. */
export function createAgentRegistration(deps: AgentRegistrationDeps) {
  const { store, secrets, links, limits, clock } = deps;

  /**
   * Gives the agent a challenge that it must answer before it may register, and reserves the name
   * for it when it is free.
   *
   * @param address the caller's, as limits count callers.
   * @throws ApiError INVALID_NAME, CHAIN_UNAVAILABLE, RATE_LIMIT_EXCEEDED
   */
  async function challenge(
    agentName: string,
    address: string,
  ): Promise<NameChallenge & { readonly nameAvailable: boolean }> {
    const { available } = await deps.names.check(agentName);
    const now = clock();
    const newChallenge: NameChallenge = {
      id: randomUUID(),
      name: agentName,
      seconds: unixSeconds(now),
      expiresAt: new Date(now.getTime() + CHALLENGE_MS),
    };
    const lock = available ? { address, limit: limits.challenges } : null;
    const { locked } = await store.insertChallenge(newChallenge, lock);
    return { ...newChallenge, nameAvailable: locked };
  }

  /**
   * Registers an agent until its owner claims it. The private text is gone when this resolves.
   *
   * @throws ApiError NONCE_EXPIRED, NONCE_USED for the challenge; INVALID_REQUEST for a wrong
   * answer (the challenge can still be answered) and for a source that cannot be read;
   * HASH_MISMATCH for a source that states another name or type; NAME_TAKEN; RATE_LIMIT_EXCEEDED;
   * CHAIN_UNAVAILABLE.
   */
  async function register(
    request: AgentRegistrationRequest,
    answered: { readonly challengeId: string; readonly challengeAnswer: string },
    caller: { readonly address: string; readonly operationKey: string },
  ): Promise<AgentRegistered> {
    const known = await store.findByOperation(caller.operationKey);
    if (known !== null) return repeat(known, caller.operationKey);

    await assertAnswered(request.agentName, answered);
    const { available, reason } = await deps.names.check(request.agentName, answered.challengeId);
    if (!available) {
      // The name may be taken since the check, by this very challenge.
      await assertAnswered(request.agentName, answered);
      throw nameTaken(request.agentName, reason);
    }

    const id = randomUUID();
    const { operationKey, address } = caller;
    const { token, apiKey } = secretsOf(operationKey, secrets.versions[0] as number);
    const staged = await stage(request, id, address);
    const createdAt = clock();
    const expiresAt = claimDeadline(createdAt);
    await store.insert(
      {
        id,
        operationKey,
        address,
        createdAt,
        expiresAt,
        ...staged,
        agentName: request.agentName,
        tokenHash: hashOfSecret(token),
        apiKey: storedKeyOf(apiKey),
      },
      answered.challengeId,
      limits.registrations,
    );
    return describe(request.agentName, expiresAt, token, apiKey);
  }

  async function assertAnswered(
    agentName: string,
    { challengeId, challengeAnswer }: { challengeId: string; challengeAnswer: string },
  ): Promise<void> {
    const storedChallenge = await store.findChallenge(challengeId);
    if (storedChallenge === null || storedChallenge.expiresAt <= clock()) throw challengeExpired();
    if (storedChallenge.usedBy !== null) throw challengeUsed();
    if (storedChallenge.name !== agentName) {
      throw badRequest("agentName", "The challenge was given for another name");
    }
    if (!isRightAnswer(storedChallenge, challengeAnswer)) {
      throw badRequest("challengeAnswer", "Not the SHA-256 hex digest that the challenge asks for");
    }
  }

  /** The stored part of a request: from here on there is no private text. */
  async function stage(request: AgentRegistrationRequest, id: string, caller: string) {
    const { personalityDocument, agentDescription } = request;
    const document: DeclaredDocument | null = personalityDocument && {
      id: PERSONALITY_DOCUMENT_ID,
      type: "personality",
      format: "markdown",
      title: personalityDocument.title,
      contentHash: documentHash(personalityDocument.content),
      immutable: personalityDocument.immutable,
    };
    const salt = randomBytes(32);
    const hashed = await deps.souls.run(
      "hashSource",
      {
        source: { kind: "text", format: request.sourceFormat, text: request.systemPrompt },
        frame: {
          agentName: request.agentName,
          agentType: request.agentType,
          description: agentDescription,
          documents: document === null ? [] : [committed(document)],
        },
        soulSalt: bytesToHex(salt) as Hex,
        publicFields: request.publicFields,
      },
      { part: "systemPrompt", caller },
    );
    const content: StagedContent = {
      soulHash: hashed.soulHash,
      soulMerkleRoot: hashed.soulMerkleRoot,
      agentType: request.agentType,
      sourceFormat: request.sourceFormat,
      publicFields: hashed.publicFields,
      publicIdentity: request.publicIdentity,
      agentDescription,
      birthBundle: request.birthBundle,
      erc8004AgentId: request.erc8004AgentId,
      document: document &&
        personalityDocument && { ...document, title: personalityDocument.title },
    };
    return {
      content,
      saltEncrypted: secrets.encrypt(REGISTRATION_SALT_PURPOSE, salt, id),
      leaves: hashed.merkleLeaves,
      documentText: personalityDocument?.content ?? null,
    };
  }

  /**
   * Derived from the operation's own id, so that the same request gets the same answer after a
   * crash and no secret is stored.
   */
  function secretsOf(operationKey: string, version: number): { token: string; apiKey: string } {
    const token = secrets.hmac(TOKEN_PURPOSE, [operationKey], version).subarray(0, TOKEN_BYTES);
    return {
      token: token.toString("base64url"),
      apiKey: apiKeyOf("provisional", secrets.hmac(KEY_PURPOSE, [operationKey], version)),
    };
  }

  function repeat(known: AnsweredRegistration, operationKey: string): AgentRegistered {
    for (const version of secrets.versions) {
      const { token, apiKey } = secretsOf(operationKey, version);
      if (hashOfSecret(token).equals(known.tokenHash)) {
        return describe(known.agentName, known.expiresAt, token, apiKey);
      }
    }
    throw new ApiError("IDEMPOTENCY_CONFLICT", {
      message: "This request was answered before, and its answer can no longer be given.",
    });
  }

  function describe(
    agentName: string,
    claimExpiresAt: Date,
    registrationId: string,
    apiKey: string,
  ): AgentRegistered {
    return {
      registrationId,
      agentName,
      apiKey,
      claimExpiresAt,
      profileUrl: links.profile(agentName),
      claimUrl: links.claim(registrationId),
    };
  }

  /**
   * Deletes registrations not claimed in time. A name is free only when a settled block is later
   * than the deadline: before it, a claim that was signed in time could still be mined.
   */
  async function expire(): Promise<void> {
    await store.deleteEndedChallenges(clock());
    const settled = await deps.settledTime();
    const at = clock();
    while ((await store.deleteExpired(settled, at, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }

  return { challenge, register, expire };
}

/** The soul's entry for a document; the remaining fields are stored beside the soul. */
export function committed({ id, contentHash, immutable }: DeclaredDocument): CcsfDocument {
  return { id, contentHash, immutable };
}

/** Whole seconds, as the chain counts time: the answered time is the signed one. */
function claimDeadline(from: Date): Date {
  return new Date(Math.floor((from.getTime() + CLAIM_MS) / 1000) * 1000);
}

export function challengeExpired(): ApiError {
  return new ApiError("NONCE_EXPIRED", { message: "The challenge is unknown or has expired." });
}

export function challengeUsed(): ApiError {
  return new ApiError("NONCE_USED", { message: "The challenge has already been answered." });
}

function nameTaken(name: string, reason?: string): ApiError {
  return new ApiError("NAME_TAKEN", {
    ...(reason === undefined ? {} : { message: reason }),
    details: { name },
  });
}
