import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import { isAddressEqual, sha256, stringToBytes } from "viem";
import type {
  AgentTypeIndex,
  CommonOwnerField,
  OwnerMessage,
  OwnerMessageContract,
  OwnerMessageName,
  SigningPlace,
} from "../../protocol/index.ts";
import {
  canonicalJson,
  OWNER_MESSAGE_CONTRACTS,
  ownerMessageDigest,
} from "../../protocol/index.ts";
import type { OwnerSignatures } from "../features/registration/ports.ts";
import { ApiError, isRefusal, RevertedError } from "../kernel/errors.ts";
import type { Call, Relayer } from "../platform/chain/transactions.ts";
import type { Requester, Sponsor } from "../platform/sponsorship/sponsorship.ts";
import { isWithSealer } from "../soul/with-sealer.ts";
import { assertSays } from "./off-chain-signatures.ts";
import { assertEndsSoon, assertNotOver, signingDeadline } from "./signing-deadline.ts";

/** A soul as the chain has it now, everything of one block. */
export interface OperatedSoul {
  readonly tokenId: bigint;
  readonly name: string;
  readonly agentType: AgentTypeIndex;
  readonly status: "NONE" | "PROVISIONAL" | "SEALED" | "BURNED";
  readonly passportId: bigint;
  /** Who sealed it, or registered it while it is not sealed. */
  readonly sealer: Address;
  /** Null when the passport cannot be read. */
  readonly passportOwner: Address | null;
  /** Whether a suspension stands, also with the passport back at its sealer. */
  readonly suspended: boolean;
  /** Null when the sealer acts for the agent. */
  readonly operator: Address | null;
  readonly epoch: number;
  /** What every decision of its owner is signed over, by the contract that verifies it. */
  readonly versions: Readonly<Record<OwnerMessageContract, number>>;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
  /** Archive of its DID document in this epoch, 32 bytes; zero for none. */
  readonly didArchiveId: Hex;
  /** Whether its owner was attested to be a person, in this epoch. */
  readonly humanVerified: boolean;
}

/** What an owner signed, and with what. */
export interface OwnerEvidence<Name extends OwnerMessageName = OwnerMessageName> {
  readonly message: OwnerMessage<Name>;
  readonly signature: Hex;
  readonly signer: Address;
}

/** Content of permanent storage. */
export interface ArchivedContent {
  readonly data: Uint8Array;
  readonly contentType: string;
}

/** What a request comes to, given the soul as it is now. */
export interface OperationPlan<Name extends OwnerMessageName, Payload> {
  /** What the owner signs besides soul, epoch, version, nonce and deadline. */
  readonly fields: Omit<OwnerMessage<Name>, CommonOwnerField>;
  /** What the call and its end need to know later; kept as JSON. */
  readonly payload: Payload;
  /** Stored before anything names them. Their ids are known beforehand: see `ContentIds`. */
  readonly items: readonly ArchivedContent[];
}

/** The id that permanent storage has, or would have, for some content. Stores nothing. */
export interface ContentIds {
  idOf(content: ArchivedContent): Promise<string>;
}

/** An operation that was accepted: from here on it is driven to its end, by whichever process lives. */
export interface OwnerOperation<
  Name extends OwnerMessageName = OwnerMessageName,
  Payload = unknown,
> {
  readonly id: string;
  readonly kind: string;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly digest: Hex;
  /** Of the request that was accepted first. */
  readonly operationKey: string;
  readonly requestHash: Hex;
  readonly payload: Payload;
  readonly evidence: OwnerEvidence<Name>;
}

/** What the transaction of an operation is made from. */
export type SignedOperation<
  Name extends OwnerMessageName = OwnerMessageName,
  Payload = unknown,
> = Pick<OwnerOperation<Name, Payload>, "tokenId" | "payload" | "evidence">;

/** Where an operation was carried out. */
export interface OperationExecution {
  readonly txHash: Hex;
  readonly blockNumber: bigint;
}

/** What the end of an accepted operation needs of its kind, however old its request is. */
export interface OperationEnd<
  Transaction,
  Name extends OwnerMessageName = OwnerMessageName,
  Payload = unknown,
  Result = unknown,
> {
  /** Kept with each operation: never renamed. */
  readonly kind: string;
  readonly messageName: Name;
  /** Gas set aside for one, and the most that it may use. */
  readonly gas: bigint;
  /** The transaction. Called again after a restart: the same operation gives the same call. */
  call(operation: SignedOperation<Name, Payload>): Call;
  /** What is answered, as JSON. It holds no secret: whoever repeats the signed request reads it. */
  result(operation: OwnerOperation<Name, Payload>, execution: OperationExecution): Promise<Result>;
  /** What is written and emitted with the end, in its transaction, once. */
  follow?(
    transaction: Transaction,
    operation: OwnerOperation<Name, Payload>,
    execution: OperationExecution,
  ): Promise<void>;
}

/** One kind of operation: everything that distinguishes it from the others. */
export interface OperationKind<Transaction, Request, Name extends OwnerMessageName, Payload, Result>
  extends OperationEnd<Transaction, Name, Payload, Result> {
  /** Whose soul it is about. */
  tokenIdOf(request: Request): bigint;
  /** The request as JSON: what makes two requests the same. */
  requestJson(request: Request): unknown;
  /**
   * Reads what the request depends on, and refuses what may not be. Called for the message to sign and again for the signed one;
   * it stores nothing.
   *
   * @throws ApiError of the kind's own preconditions.
   */
  plan(request: Request, soul: LiveSoul): Promise<OperationPlan<Name, Payload>>;
}

/** A soul that is neither burned nor suspended, and whose sealer owns the passport in this block. */
export type LiveSoul = OperatedSoul & {
  readonly status: "PROVISIONAL" | "SEALED";
  readonly owner: Address;
};

/** Accepted operations and how they ended. */
export interface OperationStore<Transaction> {
  find(digest: Hex): Promise<{
    readonly operation: OwnerOperation;
    readonly completed: CompletedOperation | null;
  } | null>;
  listPending(): Promise<OwnerOperation[]>;
  /**
   * Accepts an operation and sets aside its gas on `sponsor`'s share, unless the digest is known.
   *
   * @throws ApiError NONCE_USED when the signer's nonce belongs to another message; GAS_BUDGET_EXHAUSTED.
   */
  accept(operation: OwnerOperation, gas: bigint, sponsor: Sponsor): Promise<"accepted" | "known">;
  /** Writes the end and what follows from it in one transaction, once. Returns the end that is on record. */
  complete(
    operation: OwnerOperation,
    completed: CompletedOperation,
    follow: (transaction: Transaction) => Promise<void>,
  ): Promise<CompletedOperation>;
  /** Forgets an operation that the chain refused, and gives back its gas unless that was spent. */
  discard(operation: OwnerOperation, gas: "spent" | "unspent"): Promise<void>;
}

export interface CompletedOperation extends OperationExecution {
  readonly result: unknown;
}

/** The contracts that verify owners' decisions, as operations use them. */
export interface OperationChain {
  soul(tokenId: bigint): Promise<OperatedSoul>;
  /**
   * @param sender Who would send it: the registrar when absent. The owner needs no signature of its own.
   * @throws ApiError of the contract's refusal; INVALID_REQUEST when it takes more than `gas`.
   */
  simulate(call: Call, gas: bigint, sender?: Address): Promise<void>;
  /** Whether a nonce was used or cancelled on the contract that verifies the signature. */
  isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean>;
  /** The transaction in which that contract carried out exactly this signature, from any sender; null for none. */
  executedIn(verifier: Address, signer: Address, digest: Hex): Promise<OperationExecution | null>;
}

export interface OwnerOperationDeps<Transaction> {
  /** The contract that verifies messages of a type. */
  readonly placeOf: (name: OwnerMessageName) => SigningPlace;
  readonly chain: OperationChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: { archive(content: ArchivedContent): Promise<string> };
  readonly signatures: OwnerSignatures;
  readonly store: OperationStore<Transaction>;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
  /** Every kind that can be on record. */
  readonly kinds: readonly OperationEnd<Transaction>[];
}

/** How an operation ended, and how far reads have come. */
export interface PerformedOperation<Result> {
  readonly result: Result;
  readonly txHash: Hex;
  /** The block that reads must have reached to show it. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when it was answered. */
  readonly indexedBlock: bigint;
}

export interface OwnerOperations<Transaction> {
  /**
   * The message to sign for a request, with a fresh nonce and 15 minutes to do so.
   *
   * @throws ApiError of everything that `perform` would refuse before it looks at a signature.
   */
  prepare<Request, Name extends OwnerMessageName, Payload, Result>(
    kind: OperationKind<Transaction, Request, Name, Payload, Result>,
    request: Request,
  ): Promise<OwnerMessage<Name>>;
  /**
   * Carries out what an owner signed. The same signed request gives the same answer, however often it is sent.
   *
   * @throws ApiError NOT_FOUND, BURNED, SUSPENDED, NOT_OWNER; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED, NONCE_EXPIRED, NONCE_USED;
   * INVALID_REQUEST naming every field of the message that disagrees; the kind's own; the contract's refusal.
   */
  perform<Request, Name extends OwnerMessageName, Payload, Result>(
    kind: OperationKind<Transaction, Request, Name, Payload, Result>,
    request: Request,
    evidence: OwnerEvidence<Name>,
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
  /**
   * Drives every operation that a stopped process left behind to its end.
   *
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  recover(): Promise<void>;
}

/** One kind of operation as a route uses it. */
export interface BoundOperation<Request, Name extends OwnerMessageName, Result> {
  /** See `OwnerOperations.prepare`. */
  prepare(request: Request): Promise<OwnerMessage<Name>>;
  /** See `OwnerOperations.perform`. */
  perform(
    request: Request,
    evidence: OwnerEvidence<Name>,
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
}

/** The engine's work on one kind. */
export function bindOperation<Transaction, Request, Name extends OwnerMessageName, Payload, Result>(
  operations: OwnerOperations<Transaction>,
  kind: OperationKind<Transaction, Request, Name, Payload, Result>,
): BoundOperation<Request, Name, Result> {
  return {
    prepare: (request) => operations.prepare(kind, request),
    perform: (request, evidence, requester) =>
      operations.perform(kind, request, evidence, requester),
  };
}

/** Carries out on chain what owners sign. What is particular to one kind of decision is in its `OperationKind`. */
export function createOwnerOperations<Transaction>(
  deps: OwnerOperationDeps<Transaction>,
): OwnerOperations<Transaction> {
  const { chain, clock, placeOf, store } = deps;

  async function prepare<Request, Name extends OwnerMessageName, Payload, Result>(
    kind: OperationKind<Transaction, Request, Name, Payload, Result>,
    request: Request,
  ): Promise<OwnerMessage<Name>> {
    const soul = assertLive(await chain.soul(kind.tokenIdOf(request)));
    const { fields, payload } = await kind.plan(request, soul);
    const message = messageOf(kind.messageName, soul, fields, {
      nonce: deps.randomNonce(),
      deadline: signingDeadline(clock()),
    });
    const call = kind.call({
      tokenId: soul.tokenId,
      payload,
      evidence: { message, signature: "0x", signer: soul.owner },
    });
    await chain.simulate(call, kind.gas, soul.owner);
    return message;
  }

  async function perform<Request, Name extends OwnerMessageName, Payload, Result>(
    kind: OperationKind<Transaction, Request, Name, Payload, Result>,
    request: Request,
    evidence: OwnerEvidence<Name>,
    requester: Requester,
  ): Promise<PerformedOperation<Result>> {
    const { messageName } = kind;
    const digest = ownerMessageDigest(placeOf(messageName), messageName, evidence.message);
    const requestHash = sha256(stringToBytes(canonicalJson(kind.requestJson(request))));
    const known = await store.find(digest);
    if (known) return repeated<Result>(known, kind, requestHash);

    const once = { digest, requestHash, ...requester };
    let accepted: OwnerOperation | null;
    try {
      accepted = await accept(kind, request, evidence, once);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The same request may have been carried out since it was looked for: what it then runs into is its own effect.
      const winner = await store.find(digest);
      if (winner) return repeated<Result>(winner, kind, requestHash);
      throw error;
    }
    if (accepted) return finish<Result>(kind, accepted);
    const winner = await store.find(digest);
    // Accepted by somebody else, and refused by the chain since.
    if (!winner) throw new ApiError("NONCE_USED");
    return repeated<Result>(winner, kind, requestHash);
  }

  /** Null when the same digest was accepted in the meantime. */
  async function accept<Request, Name extends OwnerMessageName, Payload, Result>(
    kind: OperationKind<Transaction, Request, Name, Payload, Result>,
    request: Request,
    evidence: OwnerEvidence<Name>,
    once: Pick<OwnerOperation, "digest" | "requestHash"> & Requester,
  ): Promise<OwnerOperation | null> {
    const { message, signature, signer } = evidence;
    const soul = assertLive(await chain.soul(kind.tokenIdOf(request)));
    if (!isAddressEqual(signer, soul.owner)) throw new ApiError("NOT_OWNER");
    assertNotOver(message.deadline, clock());
    assertEndsSoon(message.deadline, clock());
    // Before anything that costs more than a signature to ask for.
    await deps.signatures.assertSignedBy(signer, once.digest, signature);
    const { verifyingContract } = placeOf(kind.messageName);
    if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) {
      throw new ApiError("NONCE_USED");
    }
    const { fields, payload, items } = await kind.plan(request, soul);
    assertSays(message, messageOf(kind.messageName, soul, fields, message as Once));

    const operation: OwnerOperation<Name, Payload> = {
      id: randomUUID(),
      kind: kind.kind,
      tokenId: soul.tokenId,
      epoch: soul.epoch,
      digest: once.digest,
      requestHash: once.requestHash,
      operationKey: once.operationKey,
      payload,
      evidence,
    };
    // The contract's own word on everything that it checks, before anything is written.
    await chain.simulate(kind.call(operation), kind.gas);
    for (const item of items) await deps.archive.archive(item);
    const kept = operation as unknown as OwnerOperation;
    const sponsor: Sponsor = {
      network: once.network,
      standing: soul.status === "SEALED" ? "known" : "stranger",
    };
    return (await store.accept(kept, kind.gas, sponsor)) === "accepted" ? kept : null;
  }

  async function repeated<Result>(
    known: { operation: OwnerOperation; completed: CompletedOperation | null },
    kind: OperationEnd<Transaction>,
    requestHash: Hex,
  ): Promise<PerformedOperation<Result>> {
    const { operation, completed } = known;
    if (operation.kind !== kind.kind || operation.requestHash !== requestHash) {
      throw new ApiError("NONCE_USED", {
        message: "This signature was already submitted with another request.",
      });
    }
    return completed ? answer<Result>(completed) : finish<Result>(kind, operation);
  }

  async function finish<Result>(
    kind: OperationEnd<Transaction>,
    operation: OwnerOperation,
  ): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber } = await executionOf(kind, operation);
    const execution = { txHash, blockNumber };
    const result = await kind.result(operation, execution);
    const completed = await store.complete(operation, { ...execution, result }, async (tx) => {
      await kind.follow?.(tx, operation, execution);
    });
    return answer<Result>(completed);
  }

  async function executionOf(
    kind: OperationEnd<Transaction>,
    operation: OwnerOperation,
  ): Promise<OperationExecution> {
    try {
      const { transactionHash, blockNumber } = await deps.relayer.run(
        operationIdOf(operation),
        async () => ({ ...kind.call(operation), gas: kind.gas }),
      );
      return { txHash: transactionHash, blockNumber };
    } catch (error) {
      const isReverted = error instanceof RevertedError;
      if (!isRefusal(error) && !isReverted) throw error;
      // Anybody can send a copied signature: then it was carried out, only not by us.
      const { verifyingContract } = placeOf(kind.messageName);
      const { evidence, digest } = operation;
      const elsewhere = await chain.executedIn(verifyingContract, evidence.signer, digest);
      if (elsewhere) return elsewhere;
      await store.discard(operation, isReverted ? "spent" : "unspent");
      throw error;
    }
  }

  async function answer<Result>(
    completed: CompletedOperation,
  ): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber } = completed;
    const indexedBlock = await deps.index.waitForBlock(blockNumber);
    return { result: completed.result as Result, txHash, blockNumber, indexedBlock };
  }

  async function recover(): Promise<void> {
    const failures: unknown[] = [];
    for (const operation of await store.listPending()) {
      const kind = deps.kinds.find((one) => one.kind === operation.kind);
      if (!kind) {
        failures.push(new Error(`Operation ${operation.id} is of no known kind.`));
        continue;
      }
      await finish(kind, operation).catch((error: unknown) => {
        // Refused by the chain, and forgotten.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} operations could not be finished.`);
    }
  }

  return { prepare, perform, recover };
}

/** The relayer's name for an operation, and what its gas is set aside under. */
export function operationIdOf({ id }: Pick<OwnerOperation, "id">): string {
  return `operation:${id}`;
}

/**
 * Refuses a soul on which nobody can decide now.
 *
 * @throws ApiError NOT_FOUND, BURNED, SUSPENDED.
 */
export function assertLive(soul: OperatedSoul): LiveSoul {
  const { status, sealer, passportOwner, suspended, tokenId } = soul;
  if (status === "NONE") {
    throw new ApiError("NOT_FOUND", { message: `There is no agent with token id ${tokenId}.` });
  }
  if (status === "BURNED") throw new ApiError("BURNED");
  if (!isWithSealer({ sealer, suspended, owner: passportOwner })) throw new ApiError("SUSPENDED");
  return { ...soul, status, owner: sealer };
}

/** What makes two signatures over the same decision differ. */
interface Once {
  readonly nonce: bigint;
  readonly deadline: bigint;
}

function messageOf<Name extends OwnerMessageName>(
  name: Name,
  soul: LiveSoul,
  fields: object,
  { nonce, deadline }: Once,
): OwnerMessage<Name> {
  const { tokenId, epoch } = soul;
  const version = soul.versions[OWNER_MESSAGE_CONTRACTS[name]];
  const common = { tokenId, epoch, version, nonce, deadline };
  return { ...common, ...fields } as unknown as OwnerMessage<Name>;
}
