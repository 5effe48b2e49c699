import { randomUUID } from "node:crypto";
import type { Address, Hex, TransactionReceipt } from "viem";
import { bytesToHex, hexToBytes } from "viem";
import type { FieldLeaf, RegistrationMessage } from "../../protocol/index.ts";
import { didOf } from "../../protocol/index.ts";
import { ApiError, RevertedError } from "../errors.ts";
import { generateApiKey, hashApiKey } from "./api-keys.ts";
import type { RegistrationContext, RegistrationRequest } from "./registration-content.ts";
import {
  assertConsistent,
  registrationDigest,
  registrationFileJson,
  registrationMessage,
  soulArchiveJson,
} from "./registration-content.ts";
import type { Secrets } from "./secrets.ts";

/** The registrar's half of a registration; see `ISoulRegistry.Publication`. */
export interface Publication {
  readonly archiveId: string;
  readonly agentURI: string;
  readonly agentURIWithoutIds: string;
  readonly expectedPassportId: bigint;
  readonly expectedTokenId: bigint;
}

export interface RegistrationCall {
  readonly message: RegistrationMessage;
  readonly publication: Publication;
  readonly signature: Hex;
}

/** What the chain says was registered. */
export interface RegisteredSoul {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly epoch: number;
  readonly agentUriHasIds: boolean;
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

export interface SoulRegistryPort {
  /** The soul that was given `name`, 0 for none, as of the latest block. */
  tokenOfName(name: string): Promise<bigint>;
  /** The ids that this registration would get now. Throws the contract's refusal as an ApiError. */
  simulateRegister(call: RegistrationCall): Promise<{ tokenId: bigint; passportId: bigint }>;
  registerCall(call: RegistrationCall): { to: Address; data: Hex };
  readRegistered(receipt: TransactionReceipt): RegisteredSoul;
}

export interface RelayerPort {
  /** Runs an operation to its receipt exactly once, however often it is asked to. */
  run(
    operationId: string,
    build: () => Promise<{ to: Address; data: Hex }>,
  ): Promise<TransactionReceipt>;
}

export interface ArchivePort {
  /** Stores `content` if it is not stored yet; the same content always gets the same id. */
  archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
}

export interface OwnerSignatures {
  /**
   * @throws ApiError INVALID_SIGNATURE, WALLET_NOT_DEPLOYED or CHAIN_UNAVAILABLE unless a contract would accept `signature`
   * as `signer`'s over `digest` now.
   */
  assertSignedBy(signer: Address, digest: Hex, signature: Hex): Promise<void>;
}

/** A registration that was accepted: from here on it is driven to its end, by whichever process lives. */
export interface PendingRegistration {
  readonly id: string;
  readonly digest: Hex;
  /** Whose retry may read the answer: see `AppEnv.operationKey`. */
  readonly operationKey: string;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  readonly message: RegistrationMessage;
  readonly signature: Hex;
  /** Bound to the request's soul hash. */
  readonly saltEncrypted: Buffer;
  /** Bound to `id`; null once nobody may ask for it again. */
  readonly apiKeyEncrypted: Buffer | null;
}

/** How an accepted registration ended. */
export interface CompletedRegistration extends RegisteredSoul {
  readonly archiveId: string;
  /** URI that the passport points at. */
  readonly agentUri: string;
  /** URI of the registration file that names the soul's real ids: the same, unless another registration came between. */
  readonly completeUri: string;
}

export interface RegistrationStore {
  /**
   * Accepts a registration, and sets aside what it costs.
   *
   * @throws ApiError NAME_TAKEN when another registration of the name is pending; IDEMPOTENCY_CONFLICT for the same digest;
   * RATE_LIMIT_EXCEEDED and GAS_BUDGET_EXHAUSTED as `Sponsorship.reserve`.
   */
  insert(pending: PendingRegistration): Promise<void>;
  findByDigest(
    digest: Hex,
  ): Promise<{ pending: PendingRegistration; completed: CompletedRegistration | null } | null>;
  /** Every accepted registration without an end. */
  listPending(): Promise<PendingRegistration[]>;
  isNamePending(name: string): Promise<boolean>;
  /** Writes the end, the API key and the soul's secrets in one transaction; does nothing the second time. */
  complete(
    id: string,
    completed: CompletedRegistration,
    grants: {
      apiKeyHash: Buffer;
      soulHash: Hex;
      saltEncrypted: Buffer;
      leaves: readonly FieldLeaf[];
    },
  ): Promise<void>;
  /** Forgets a registration that the chain refused, and gives back what was set aside for it unless that was spent. */
  remove(id: string, gas: "spent" | "unspent"): Promise<void>;
}

export interface RegistrationDeps {
  readonly context: RegistrationContext;
  readonly soulRegistry: SoulRegistryPort;
  readonly relayer: RelayerPort;
  readonly archive: ArchivePort;
  readonly signatures: OwnerSignatures;
  readonly store: RegistrationStore;
  readonly secrets: Secrets;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** What a finished registration answers. */
export interface RegistrationAnswer {
  readonly tokenId: bigint;
  readonly erc8004AgentId: bigint;
  readonly agentName: string;
  readonly did: string;
  readonly profileUrl: string;
  readonly erc8004Url: string;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  readonly arweaveTxId: string;
  readonly genesisStatus: "SEALED";
  readonly apiKey: string;
  readonly mintTxHash: Hex;
  /** True when the passport points at the file without ids; the owner should set `updatedAgentUriUrl`'s URI. */
  readonly needsAgentUriUpdate: boolean;
  readonly updatedAgentUriUrl: string;
  /** The block that reads must have reached to show this registration. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when the answer was given. */
  readonly indexedBlock: bigint;
}

/** How long an owner has to sign, unless the operation says otherwise. */
const SIGNING_TIME_SECONDS = 15n * 60n;

const SALT_PURPOSE = "soul-salt";
const API_KEY_PURPOSE = "registration-api-key";

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Registration by an owner's signature, of a new passport. */
export function createRegistrationService(deps: RegistrationDeps) {
  const { context, soulRegistry, relayer, archive, store, secrets } = deps;

  /** The message to sign, with a fresh nonce and deadline. */
  function prepare(request: RegistrationRequest): RegistrationMessage {
    assertConsistent(request);
    return registrationMessage(request, context, {
      nonce: deps.randomNonce(),
      deadline: BigInt(Math.floor(deps.clock().getTime() / 1000)) + SIGNING_TIME_SECONDS,
    });
  }

  /**
   * Registers, or answers again what the same operation was answered before.
   *
   * @param operationKey Names the caller's operation; only the same key reads the answer (and its API key) again.
   */
  async function register(
    request: RegistrationRequest,
    authorization: { message: RegistrationMessage; signature: Hex; signer: Address },
    operationKey: string,
  ): Promise<RegistrationAnswer> {
    assertConsistent(request);
    assertSigned(request, authorization, context);
    const { message, signature } = authorization;
    const digest = registrationDigest(message, context);

    const known = await store.findByDigest(digest);
    if (known && known.pending.operationKey !== operationKey) throw alreadySubmitted();
    if (known?.completed) return answer(known.pending, known.completed);
    if (known) return answer(known.pending, await complete(known.pending));

    await deps.signatures.assertSignedBy(authorization.signer, digest, signature);
    // The contract's own word on everything else that it checks, before anything is written.
    await soulRegistry.simulateRegister({ message, signature, publication: NOTHING_PUBLISHED });

    const { soulSalt, ...publicRequest } = request;
    const id = randomUUID();
    const pending: PendingRegistration = {
      id,
      digest,
      operationKey,
      request: publicRequest,
      message,
      signature,
      saltEncrypted: secrets.encrypt(SALT_PURPOSE, hexToBytes(soulSalt), request.soulHash),
      apiKeyEncrypted: secrets.encrypt(API_KEY_PURPOSE, Buffer.from(generateApiKey("live")), id),
    };
    await store.insert(pending);
    return answer(pending, await complete(pending));
  }

  /**
   * Drives every registration that a stopped process left behind to its end.
   *
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  async function recover(): Promise<void> {
    const failures: unknown[] = [];
    for (const pending of await store.listPending()) {
      await complete(pending).catch((error: unknown) => {
        // Refused by the chain, and forgotten: its owner can register again.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} registrations could not be finished.`);
    }
  }

  async function complete(pending: PendingRegistration): Promise<CompletedRegistration> {
    let receipt: TransactionReceipt;
    try {
      receipt = await relayer.run(`register:${pending.id}`, () => buildCall(pending));
    } catch (error) {
      // A transaction that reverted never comes back to life, even when its reason is our own fault.
      if (error instanceof RevertedError) await store.remove(pending.id, "spent");
      else if (isRefusal(error)) await store.remove(pending.id, "unspent");
      throw error;
    }
    const registered = soulRegistry.readRegistered(receipt);
    const { archiveId, agentUri: completeUri } = await publish(pending, registered);
    const agentUri = registered.agentUriHasIds ? completeUri : await publishWithoutIds(pending);
    const completed = { ...registered, archiveId, agentUri, completeUri };
    await store.complete(pending.id, completed, {
      apiKeyHash: hashApiKey(apiKeyOf(pending)),
      soulHash: pending.request.soulHash,
      saltEncrypted: pending.saltEncrypted,
      leaves: pending.request.merkleLeaves,
    });
    return completed;
  }

  /** Everything is archived under its final id before the transaction that names it is sent. */
  async function buildCall(pending: PendingRegistration): Promise<{ to: Address; data: Hex }> {
    const { message, signature } = pending;
    const ids = await soulRegistry.simulateRegister({
      message,
      signature,
      publication: NOTHING_PUBLISHED,
    });
    const published = await publish(pending, ids);
    return soulRegistry.registerCall({
      message,
      signature,
      publication: {
        archiveId: published.archiveId,
        agentURI: published.agentUri,
        agentURIWithoutIds: await publishWithoutIds(pending),
        expectedPassportId: ids.passportId,
        expectedTokenId: ids.tokenId,
      },
    });
  }

  async function publish(
    pending: PendingRegistration,
    ids: { passportId: bigint; tokenId: bigint },
  ): Promise<{ archiveId: string; agentUri: string }> {
    const request = withSalt(pending);
    const archiveId = await archiveJson(soulArchiveJson(request, context));
    const fileId = await archiveJson(registrationFileJson(request, context, ids));
    return { archiveId, agentUri: `ar://${fileId}` };
  }

  async function publishWithoutIds(pending: PendingRegistration): Promise<string> {
    return `ar://${await archiveJson(registrationFileJson(withSalt(pending), context, null))}`;
  }

  function withSalt({ request, saltEncrypted }: PendingRegistration): RegistrationRequest {
    const salt = secrets.decrypt(SALT_PURPOSE, saltEncrypted, request.soulHash);
    return { ...request, soulSalt: bytesToHex(salt) };
  }

  function apiKeyOf({ id, apiKeyEncrypted }: PendingRegistration): string {
    if (apiKeyEncrypted === null) throw alreadySubmitted();
    return secrets.decrypt(API_KEY_PURPOSE, apiKeyEncrypted, id).toString();
  }

  function archiveJson(json: string): Promise<string> {
    return archive.archive({
      data: new TextEncoder().encode(json),
      contentType: "application/json",
    });
  }

  async function answer(
    pending: PendingRegistration,
    completed: CompletedRegistration,
  ): Promise<RegistrationAnswer> {
    const { request } = pending;
    return {
      tokenId: completed.tokenId,
      erc8004AgentId: completed.passportId,
      agentName: request.agentName,
      did: didOf(context.chainId, request.agentName),
      profileUrl: context.links.profile(request.agentName),
      erc8004Url: context.links.resolvable(completed.agentUri),
      soulHash: request.soulHash,
      soulMerkleRoot: request.soulMerkleRoot,
      arweaveTxId: completed.archiveId,
      genesisStatus: "SEALED",
      apiKey: apiKeyOf(pending),
      mintTxHash: completed.txHash,
      needsAgentUriUpdate: !completed.agentUriHasIds,
      updatedAgentUriUrl: context.links.resolvable(completed.completeUri),
      blockNumber: completed.blockNumber,
      indexedBlock: await deps.index.waitForBlock(completed.blockNumber),
    };
  }

  return { prepare, register, recover };
}

const NOTHING_PUBLISHED: Publication = {
  archiveId: "",
  agentURI: "",
  agentURIWithoutIds: "",
  expectedPassportId: 0n,
  expectedTokenId: 0n,
};

/** Refuses a message that says anything else than the request, naming the field, and a signer other than the owner. */
function assertSigned(
  request: RegistrationRequest,
  { message, signer }: { message: RegistrationMessage; signer: Address },
  context: RegistrationContext,
): void {
  const expected = registrationMessage(request, context, message);
  const issues = (Object.keys(expected) as (keyof RegistrationMessage)[])
    .filter((field) => message[field] !== expected[field])
    .map((field) => ({
      path: `message.${field}`,
      message: `The request says ${String(expected[field])}`,
    }));
  if (signer !== request.ownerAddress) {
    issues.push({ path: "signer", message: `The request says ${request.ownerAddress}` });
  }
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The signed message is not about this request.",
      details: { issues },
    });
  }
}

/** A definite no, as opposed to a service that does not answer now. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** The answer holds a key that is shown once: whoever merely copied a signature must not read it. */
export function alreadySubmitted(): ApiError {
  return new ApiError("IDEMPOTENCY_CONFLICT", {
    message:
      "This signed registration was already submitted. Repeat it with its own Idempotency-Key to read its answer.",
  });
}
