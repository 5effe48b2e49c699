import { randomUUID } from "node:crypto";
import type { Address, Hex, TransactionReceipt } from "viem";
import { bytesToHex, hexToBytes, zeroHash } from "viem";
import type { RegistrationMessage } from "../../../protocol/index.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import { generateApiKey, storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError, isRefusal, RevertedError } from "../../kernel/errors.ts";
import type { OwnerSignatures } from "../../kernel/signatures.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import type { RegistrationContext, RegistrationRequest } from "./content.ts";
import {
  avatarContent,
  boundFileJson,
  humanProofOf,
  jsonContent,
  registrationDigest,
  registrationFileJson,
  soulArchiveJson,
} from "./content.ts";
import type {
  ArchivePort,
  CompletedRegistration,
  PendingRegistration,
  Publication,
  RegistrationCall,
  RegistrationOrigin,
  RegistrationStore,
  RelayerPort,
  SoulRegistryPort,
} from "./ports.ts";

export interface RegistrationEngineDeps {
  readonly context: RegistrationContext;
  readonly soulRegistry: SoulRegistryPort;
  readonly relayer: RelayerPort;
  readonly archive: ArchivePort;
  /** Stores the documents of an agent that registered itself; does nothing without any. */
  readonly archiveStaged: (origin: RegistrationOrigin) => Promise<void>;
  readonly signatures: OwnerSignatures;
  readonly store: RegistrationStore;
  readonly secrets: Secrets;
  /** Whether a wallet already has a sealed agent. */
  readonly hasSealedAgent: (owner: Address) => Promise<boolean>;
}

/** A registration as it comes in: its request is consistent, and `message` says what it says. */
export interface SignedRegistration {
  readonly origin: RegistrationOrigin;
  readonly request: RegistrationRequest;
  readonly message: RegistrationMessage;
  readonly adminConsent: Hex;
  /** `request.ownerAddress`'s over `message`. */
  readonly signature: Hex;
  /** Whose retry may read the answer: see `AppEnv.operationKey`. */
  readonly operationKey: string;
  /** The network block that the request came from. */
  readonly network: string;
}

const API_KEY_PURPOSE = "registration-api-key";

export type RegistrationEngine = ReturnType<typeof createRegistrationEngine>;

/**
 * Drives registrations to their end, by owners and by agents: accepted once, carried out once, completed in one transaction with
 * what follows. A process may die between any two steps; `recover` or a repeated request goes on from there.
 */
export function createRegistrationEngine(deps: RegistrationEngineDeps) {
  const { context, soulRegistry, relayer, archive, store, secrets } = deps;

  /**
   * Refuses what `accept` would refuse with any signature.
   *
   * @throws ApiError of the contract's refusal; NAME_TAKEN while another registration holds the name.
   */
  async function assertAcceptable(
    { soulSalt: _, ...request }: RegistrationRequest,
    message: RegistrationMessage,
    origin: RegistrationOrigin,
  ): Promise<void> {
    const unsigned = { request, message, adminConsent: "0x", signature: "0x" } as const;
    await soulRegistry.simulateUnsigned(callOf(unsigned, NOTHING_PUBLISHED));
    await store.assertNameFree(
      message.name,
      origin.kind === "claim" ? origin.registrationId : null,
    );
  }

  /**
   * Keeps a registration that the contract would accept now. From here on it will be carried out, unless the chain refuses it
   * later.
   *
   * @throws ApiError INVALID_SIGNATURE and WALLET_NOT_DEPLOYED; the contract's refusal; what `RegistrationStore.insert` throws.
   */
  async function accept(signed: SignedRegistration): Promise<PendingRegistration> {
    const { message, signature, adminConsent, origin, operationKey, network } = signed;
    const { soulSalt, ...request } = signed.request;
    const digest = registrationDigest(message, context);
    await deps.signatures.assertSignedBy(request.ownerAddress, digest, signature);

    const id = randomUUID();
    const pending: PendingRegistration = {
      id,
      digest,
      origin,
      operationKey,
      request,
      message,
      adminConsent,
      signature,
      saltEncrypted: secrets.encrypt(SALT_PURPOSE, hexToBytes(soulSalt), request.soulHash),
      apiKeyEncrypted: secrets.encrypt(API_KEY_PURPOSE, Buffer.from(generateApiKey("live")), id),
    };
    // The contract's own word on everything else that it checks, before anything is written.
    await soulRegistry.simulateRegister(callOf(pending, NOTHING_PUBLISHED));
    // A claim may use the reserve: the agent was registered before, and waits for 24 hours only.
    const isKnown = origin.kind === "claim" || (await deps.hasSealedAgent(request.ownerAddress));
    await store.insert(pending, { network, standing: isKnown ? "known" : "stranger" });
    return pending;
  }

  /**
   * Carries an accepted registration out, or learns how it was carried out already.
   *
   * @throws ApiError of the contract's refusal: the registration is then forgotten. Any other error leaves it to be finished.
   */
  async function finish(pending: PendingRegistration): Promise<CompletedRegistration> {
    let receipt: TransactionReceipt;
    try {
      receipt = await relayer.run(operationOf(pending), () => buildCall(pending));
    } catch (error) {
      // A transaction that reverted never comes back to life, even when its reason is our own fault.
      if (error instanceof RevertedError) await store.remove(pending, "spent");
      else if (isRefusal(error)) await store.remove(pending, "unspent");
      throw error;
    }
    const registered = soulRegistry.readRegistered(receipt);
    const { archiveId, agentUri: completeUri } = await publish(pending, registered);
    const completed = { ...registered, archiveId, completeUri };
    await store.complete(pending, completed, {
      apiKey: storedKeyOf(apiKeyOf(pending)),
      soulHash: pending.request.soulHash,
      saltEncrypted: pending.saltEncrypted,
      leaves: pending.request.merkleLeaves,
    });
    return completed;
  }

  /**
   * Drives every registration that a stopped process left behind to its end.
   *
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  async function recover(): Promise<void> {
    const failures: unknown[] = [];
    for (const pending of await store.listPending()) {
      await finish(pending).catch((error: unknown) => {
        // Refused by the chain, and forgotten: its owner can register again.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} registrations could not be finished.`);
    }
  }

  /** Everything is archived under its final id before the transaction that names it is sent. */
  async function buildCall(pending: PendingRegistration): Promise<{ to: Address; data: Hex }> {
    await deps.archiveStaged(pending.origin);
    const ids = await soulRegistry.simulateRegister(callOf(pending, NOTHING_PUBLISHED));
    const published = await publish(pending, ids);
    const archiveId = archiveIdOf(published.archiveId);
    if (pending.request.passport !== null) {
      // The owner signed the passport's URI, and the contract takes no other.
      return soulRegistry.registerCall(callOf(pending, { ...NOTHING_PUBLISHED, archiveId }));
    }
    const withoutIds = registrationFileJson(withSalt(pending), context, null);
    return soulRegistry.registerCall(
      callOf(pending, {
        archiveId,
        agentURI: published.agentUri,
        agentURIWithoutIds: `ar://${await archiveJson(withoutIds)}`,
        expectedPassportId: ids.passportId,
        expectedTokenId: ids.tokenId,
      }),
    );
  }

  function callOf(
    pending: Pick<PendingRegistration, "request" | "message" | "adminConsent" | "signature">,
    publication: Publication,
  ): RegistrationCall {
    const { message, signature, adminConsent, request } = pending;
    return {
      message,
      publication,
      adminConsent,
      signature,
      humanProof: humanProofOf(request, context),
    };
  }

  async function publish(
    pending: PendingRegistration,
    ids: { passportId: bigint; tokenId: bigint },
  ): Promise<{ archiveId: string; agentUri: string }> {
    const request = withSalt(pending);
    // The file names the picture.
    if (request.avatar !== null) {
      const { agentName: name, soulHash } = request;
      await archive.archive(avatarContent({ name, soulHash }));
    }
    const archiveId = await archiveJson(soulArchiveJson(request, context));
    const { passport } = request;
    const file =
      passport === null
        ? registrationFileJson(request, context, ids)
        : boundFileJson(request, passport, context);
    const agentUri = `ar://${await archiveJson(file)}`;
    if (passport !== null && agentUri !== pending.message.agentURI) {
      throw new Error(`The file of registration ${pending.id} is not the one that was signed.`);
    }
    return { archiveId, agentUri };
  }

  /** The salt never leaves this process, and is in no table but sealed. */
  function withSalt({ request, saltEncrypted }: PendingRegistration): RegistrationRequest {
    const salt = secrets.decrypt(SALT_PURPOSE, saltEncrypted, request.soulHash);
    return { ...request, soulSalt: bytesToHex(salt) };
  }

  /**
   * The agent's API key, for the answer that shows it once.
   *
   * @throws ApiError IDEMPOTENCY_CONFLICT when it is too late to ask.
   */
  function apiKeyOf({ id, apiKeyEncrypted }: PendingRegistration): string {
    if (apiKeyEncrypted === null) throw alreadySubmitted();
    return secrets.decrypt(API_KEY_PURPOSE, apiKeyEncrypted, id).toString();
  }

  function archiveJson(json: string): Promise<string> {
    return archive.archive(jsonContent(json));
  }

  return { assertAcceptable, accept, finish, recover, apiKeyOf, findByDigest: store.findByDigest };
}

/** Names a registration's operation wherever something belongs to it: its transaction, its gas, its documents. */
export function operationOf({ id }: Pick<PendingRegistration, "id">): string {
  return `register:${id}`;
}

const NOTHING_PUBLISHED: Publication = {
  archiveId: zeroHash,
  agentURI: "",
  agentURIWithoutIds: "",
  expectedPassportId: 0n,
  expectedTokenId: 0n,
};

/** The answer holds a key that is shown once: a caller that only copied a signature must not read it. */
export function alreadySubmitted(): ApiError {
  return new ApiError("IDEMPOTENCY_CONFLICT", {
    message:
      "This signed registration was already submitted. Repeat it with its own Idempotency-Key to read its answer.",
  });
}
