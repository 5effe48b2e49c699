import { randomBytes, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { bytesToHex } from "viem";
import type { AgentTypeIndex, CcsfDocument, Field } from "../../../protocol/index.ts";
import { apiKeyOf, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import { documentHash, PERSONALITY_DOCUMENT_ID } from "../../soul/text/agent-soul.ts";
import type { SoulReader } from "../../soul/text/soul-tasks.ts";
import type { DeclaredDocument } from "../documents/index.ts";
import type { NameChallenge, NameService } from "../names/index.ts";
import { isRightAnswer } from "../names/index.ts";
import type { PublicIdentity } from "../registration/index.ts";
import {
  type AgentRegistrationStore,
  challengeExpired,
  challengeUsed,
} from "./agent-registrations.store.ts";
import type { StagedContent } from "./claim/stored.ts";

export type { StagedContent };

/** How long an agent has for its answer. The name is reserved for it meanwhile. */
const CHALLENGE_MS = 10 * 60 * 1000;
/** How long an owner has to claim. */
const CLAIM_MS = 24 * 60 * 60 * 1000;

/** A public text of an agent, part of what is sealed. */
interface PersonalityDocument {
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

/** How many names one address may reserve without an owner's signature. */
interface PendingLimits {
  readonly challenges: number;
  readonly registrations: number;
}

interface AgentRegistrationDeps {
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
interface AgentRegistered {
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
    if (known !== null) return repeated(deps, known, caller.operationKey);

    await assertAnswered(deps, request.agentName, answered);
    const { available, reason } = await deps.names.check(request.agentName, answered.challengeId);
    if (!available) {
      // The name may be taken since the check, by this very challenge.
      await assertAnswered(deps, request.agentName, answered);
      throw nameTaken(request.agentName, reason);
    }

    const id = randomUUID();
    const { operationKey, address } = caller;
    const { token, apiKey } = secretsOf(secrets, operationKey);
    const staged = await stage(deps, request, id, address);
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
    return describe(links, request.agentName, expiresAt, token, apiKey);
  }

  return { challenge, register, expire: () => expire(deps) };
}

async function assertAnswered(
  { store, clock }: AgentRegistrationDeps,
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
async function stage(
  { souls, secrets }: AgentRegistrationDeps,
  request: AgentRegistrationRequest,
  id: string,
  caller: string,
) {
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
  const hashed = await souls.run(
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
    document: document && personalityDocument && { ...document, title: personalityDocument.title },
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
function secretsOf(
  secrets: Secrets,
  operationKey: string,
  version = secrets.versions[0] as number,
): { token: string; apiKey: string } {
  const token = secrets.hmac(TOKEN_PURPOSE, [operationKey], version).subarray(0, TOKEN_BYTES);
  return {
    token: token.toString("base64url"),
    apiKey: apiKeyOf("provisional", secrets.hmac(KEY_PURPOSE, [operationKey], version)),
  };
}

/** The answer that was given to the same request. */
function repeated(
  { secrets, links }: AgentRegistrationDeps,
  known: { readonly agentName: string; readonly tokenHash: Buffer; readonly expiresAt: Date },
  operationKey: string,
): AgentRegistered {
  for (const version of secrets.versions) {
    const { token, apiKey } = secretsOf(secrets, operationKey, version);
    if (hashOfSecret(token).equals(known.tokenHash)) {
      return describe(links, known.agentName, known.expiresAt, token, apiKey);
    }
  }
  throw new ApiError("IDEMPOTENCY_CONFLICT", {
    message: "This request was answered before, and its answer can no longer be given.",
  });
}

function describe(
  links: Links,
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
async function expire({ store, clock, settledTime }: AgentRegistrationDeps): Promise<void> {
  await store.deleteEndedChallenges(clock());
  const settled = await settledTime();
  const at = clock();
  while ((await store.deleteExpired(settled, at, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}

/** The soul's entry for a document; the remaining fields are stored beside the soul. */
export function committed({ id, contentHash, immutable }: DeclaredDocument): CcsfDocument {
  return { id, contentHash, immutable };
}

/** Whole seconds, as the chain counts time: the answered time is the signed one. */
function claimDeadline(from: Date): Date {
  return new Date(Math.floor((from.getTime() + CLAIM_MS) / 1000) * 1000);
}

function nameTaken(name: string, reason?: string): ApiError {
  return new ApiError("NAME_TAKEN", {
    ...(reason === undefined ? {} : { message: reason }),
    details: { name },
  });
}
