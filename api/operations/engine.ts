import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import { isAddressEqual, sha256, stringToBytes } from "viem";
import { canonicalJson } from "../../protocol/index.ts";
import { ApiError, badRequest, isRefusal, RevertedError } from "../kernel/errors.ts";
import type { OwnerSignatures } from "../kernel/signatures.ts";
import type { Call, Relayer } from "../platform/chain/transactions.ts";
import type { Requester } from "../platform/sponsorship/sponsorship.ts";
import type { OperationLedger, SettledOperation } from "./ledger.ts";
import type {
  ArchivedContent,
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  NonceAndDeadline,
  Operation,
  OperationExecution,
  OperationFailure,
  OperationSignature,
  PostgresOperation,
  RequiredSignature,
} from "./operation.ts";
import { assertEndsSoon, assertNotOver, signingDeadline, unixSeconds } from "./signing-deadline.ts";
import type { SigningDomains } from "./signing-domains.ts";

/** A signature that a contract may have carried out. */
export interface ExecutedSignature {
  /** The contract: every one that verifies owners' signatures emits the same event. */
  readonly verifier: Address;
  readonly signer: Address;
  readonly digest: Hex;
  /** The first block that can hold it. */
  readonly fromBlock: bigint;
}

/** The chain as the engine uses it. It knows no contract. */
export interface OperationChain {
  /** The number of the newest block. */
  head(): Promise<bigint>;
  /**
   * @param sender Who would send it: the registrar when absent. The owner needs no signature of its own.
   * @throws ApiError of the contract's refusal; INVALID_REQUEST when it takes more than `gas`.
   */
  simulate(call: Call, gas: bigint, sender?: Address): Promise<void>;
  /** Whether a nonce was used or cancelled on the contract that verifies the signature. */
  isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean>;
  /** The transaction in which that contract carried out exactly this signature, from any sender; null without one. */
  executedIn(signature: ExecutedSignature): Promise<OperationExecution | null>;
}

export interface OperationEngineDeps<Transaction> {
  readonly domains: SigningDomains;
  readonly chain: OperationChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: { archive(content: ArchivedContent): Promise<string> };
  readonly signatures: OwnerSignatures;
  readonly ledger: OperationLedger<Transaction>;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** A message that is ready to be signed. */
export interface PreparedMessage extends RequiredSignature {
  readonly signer: Address;
  readonly message: NonceAndDeadline & object;
}

/** Result and transaction of an operation, and the block that the index had reached. */
export interface PerformedOperation<Result> {
  readonly result: Result;
  readonly txHash: Hex;
  /** The block that reads must have reached to show it. */
  readonly blockNumber: bigint;
  /** The block that reads had reached when it was answered. */
  readonly indexedBlock: bigint;
}

/** Any definition, as lists of them hold it. */
type AnySigned<Transaction, Request, Snapshot, Payload> =
  | ChainOperation<Transaction, Request, Snapshot, Payload>
  | PostgresOperation<Transaction, Request, Snapshot, Payload>;

export interface OperationEngine<Transaction> {
  /**
   * The messages to sign for a request, with fresh nonces and 15 minutes to do so.
   *
   * @throws ApiError of everything that `perform` or `settle` would refuse before it looks at a signature.
   */
  prepare<Request, Snapshot, Payload>(
    definition: AnySigned<Transaction, Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessage[]>;
  /**
   * Carries out on chain what was signed. The same signed request gives the same answer, however often it is sent.
   *
   * @throws ApiError of the definition's `read`; NOT_OWNER; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED, NONCE_EXPIRED, NONCE_USED;
   * INVALID_REQUEST naming every field of a message that disagrees; the definition's own; the contract's refusal.
   */
  perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
  /**
   * Does what was signed for this service alone. Each signature counts once.
   *
   * @throws ApiError as `perform` does; NONCE_USED for a signature that was used before.
   */
  settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result>;
  /**
   * Drives every operation that a stopped process left behind to its end.
   *
   * @param definitions Of every kind that can be stored.
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  recover(definitions: readonly ChainOperationEnd<Transaction>[]): Promise<void>;
}

/** Carries out what people sign. What is particular to one kind of decision is in its definition. */
export function createOperationEngine<Transaction>(
  deps: OperationEngineDeps<Transaction>,
): OperationEngine<Transaction> {
  const { chain, clock, domains, ledger } = deps;

  async function prepare<Request, Snapshot, Payload>(
    definition: AnySigned<Transaction, Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessage[]> {
    const snapshot = await definition.read(request);
    const signers = definition.signers(request, snapshot);
    const { messages, payload } = await definition.plan(request, snapshot);
    const prepared = definition.signatures.map((required, position) => ({
      ...required,
      signer: signers[position] as Address,
      message: {
        ...messages[position],
        nonce: deps.randomNonce(),
        deadline: signingDeadline(clock()),
      },
    }));
    if (definition.settlement === "chain") {
      const unsigned = prepared.map(({ role, signer, message }) => ({
        role,
        signer,
        message,
        signature: "0x" as const,
      }));
      const call = definition.call({ payload, signatures: unsigned });
      // Sent by its owner, a call needs no signature.
      await chain.simulate(call, definition.gas(payload), signers[0]);
    }
    return prepared;
  }

  async function perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>> {
    const signed = signaturesOf(definition, given);
    const digests = signed.map(({ digest }) => digest);
    const requestHash = requestHashOf(definition, request);
    const repetition = { signed, requestHash, operationKey: requester.operationKey };
    const known = await ledger.find(digests);
    if (known) return repeated<Result>(known, definition, repetition);

    let accepted: Operation | null;
    try {
      accepted = await accept(definition, request, signed, requester);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The same request may have been carried out since it was looked up: then its own effect refuses it.
      const winner = await ledger.find(digests);
      if (winner) return repeated<Result>(winner, definition, repetition);
      throw error;
    }
    if (accepted) return finish<Result>(definition, accepted);
    const winner = await ledger.find(digests);
    // Another request had it accepted, and the chain has refused it since.
    if (!winner) throw new ApiError("NONCE_USED");
    return repeated<Result>(winner, definition, repetition);
  }

  /** Null when the same digest was accepted in the meantime. */
  async function accept<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    signed: readonly OperationSignature[],
    requester: Requester,
  ): Promise<Operation | null> {
    const { operation, snapshot, items } = await verified(definition, request, signed, requester);
    const gas = definition.gas(operation.payload);
    // The contract checks everything again before anything is written.
    await chain.simulate(definition.call(operation), gas);
    for (const item of items) await deps.archive.archive(item);
    const accepted = await ledger.accept(
      operation,
      {
        operationId: operationIdOf(definition, operation),
        gas,
        sponsor: {
          network: requester.network,
          standing: definition.standing(request, snapshot),
        },
      },
      async (tx) => definition.onAccept?.(tx, operation),
    );
    return accepted === "accepted" ? operation : null;
  }

  /** The operation that a request comes to, once it is known that its signatures count and say the same. */
  async function verified<Request, Snapshot, Payload>(
    definition: AnySigned<Transaction, Request, Snapshot, Payload>,
    request: Request,
    signed: readonly OperationSignature[],
    requester: Requester,
  ): Promise<{
    readonly operation: Operation<Payload>;
    readonly snapshot: Snapshot;
    readonly items: readonly ArchivedContent[];
  }> {
    const snapshot = await definition.read(request);
    const signers = definition.signers(request, snapshot);
    for (const [position, { signer, message }] of signed.entries()) {
      if (!isAddressEqual(signer, signers[position] as Address)) throw new ApiError("NOT_OWNER");
      assertNotOver(message.deadline, clock());
      assertEndsSoon(message.deadline, clock(), definition.signatures[position]?.maxAheadMs);
    }
    // Before anything that costs more than a signature to ask for.
    for (const { signer, digest, signature } of signed) {
      await deps.signatures.assertSignedBy(signer, digest, signature);
    }
    const acceptedBlock = await chain.head();
    for (const { verifyingContract, signer, message } of signed) {
      if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) {
        throw new ApiError("NONCE_USED");
      }
    }
    const { messages, payload, secrets, items } = await definition.plan(request, snapshot);
    for (const [position, { message }] of signed.entries()) {
      assertSays(message, messages[position] as object);
    }
    const operation: Operation<Payload> = {
      id: randomUUID(),
      kind: definition.kind,
      requestHash: requestHashOf(definition, request),
      operationKey: requester.operationKey,
      payload,
      secrets,
      signatures: signed,
      subjects: definition.subjects(request, snapshot),
      acceptedAt: clock(),
      acceptedBlock,
    };
    return { operation, snapshot, items };
  }

  /** The signatures of a request, each with its digest, in the order of the definition. */
  function signaturesOf(
    { signatures }: { readonly signatures: readonly RequiredSignature[] },
    given: readonly GivenSignature[],
  ): OperationSignature[] {
    return signatures.map(({ role, contract, primaryType }) => {
      const one = given.find((signed) => signed.role === role);
      if (!one) {
        throw badRequest("signature", `The ${role} has to sign`);
      }
      const { chainId, verifyingContract } = domains.place(contract);
      return {
        ...one,
        primaryType,
        chainId,
        verifyingContract,
        digest: domains.digest(contract, primaryType, one.message),
      };
    });
  }

  async function repeated<Result>(
    known: NonNullable<Awaited<ReturnType<OperationLedger<Transaction>["find"]>>>,
    definition: ChainOperationEnd<Transaction>,
    repetition: {
      readonly signed: readonly OperationSignature[];
      readonly requestHash: Hex;
      readonly operationKey: string;
    },
  ): Promise<PerformedOperation<Result>> {
    const { operation, settled } = known;
    if (operation.kind !== definition.kind || operation.requestHash !== repetition.requestHash) {
      throw new ApiError("NONCE_USED", {
        message: "This signature was already submitted with another request.",
      });
    }
    if (operation.operationKey !== repetition.operationKey) {
      await assertSignedAgain(operation, repetition.signed);
    }
    return settled ? answer<Result>(settled) : finish<Result>(definition, operation);
  }

  /** A digest is public once it is on chain: a repetition shows the signature before it reads the answer. */
  async function assertSignedAgain(
    operation: Operation,
    signed: readonly OperationSignature[],
  ): Promise<void> {
    for (const [position, { signer, digest, signature }] of signed.entries()) {
      const first = operation.signatures[position];
      if (!first || !isAddressEqual(first.signer, signer)) throw new ApiError("NOT_OWNER");
      if (first.signature === signature) continue;
      await deps.signatures.assertSignedBy(signer, digest, signature);
    }
  }

  async function finish<Result>(
    definition: ChainOperationEnd<Transaction>,
    operation: Operation,
  ): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber } = await executionOf(definition, operation);
    const execution = { txHash, blockNumber };
    const result = await definition.result(operation, execution);
    const settled = await ledger.settle(operation, { ...execution, result }, async (tx) =>
      definition.onSettle?.(tx, operation, execution),
    );
    return answer<Result>(settled);
  }

  async function executionOf(
    definition: ChainOperationEnd<Transaction>,
    operation: Operation,
  ): Promise<OperationExecution> {
    const operationId = operationIdOf(definition, operation);
    try {
      const { transactionHash, blockNumber } = await deps.relayer.run(operationId, async () => ({
        ...definition.call(operation),
        gas: definition.gas(operation.payload),
      }));
      return { txHash: transactionHash, blockNumber };
    } catch (error) {
      const isReverted = error instanceof RevertedError;
      if (!isReverted && !isRefusal(error)) throw error;
      // Any account can send a copied signature: then it was carried out, only by another sender.
      const elsewhere = await carriedOutElsewhere(operation);
      if (elsewhere) return elsewhere;
      const state = await failureOf(operation);
      const isSuperseded = (await definition.isSuperseded?.(operation)) ?? false;
      await ledger.end(
        operation,
        { state, reason: error as ApiError, isSuperseded, isGasSpent: isReverted, operationId },
        async (tx) => definition.onEnd?.(tx, operation, state),
      );
      throw error;
    }
  }

  async function carriedOutElsewhere({
    signatures,
    acceptedBlock: fromBlock,
  }: Operation): Promise<OperationExecution | null> {
    for (const { verifyingContract: verifier, signer, digest } of signatures) {
      const execution = await chain.executedIn({ verifier, signer, digest, fromBlock });
      if (execution) return execution;
    }
    return null;
  }

  /** Why the chain refused what it would have taken when it was accepted. */
  async function failureOf({ signatures }: Operation): Promise<OperationFailure> {
    const now = unixSeconds(clock());
    if (signatures.some(({ message }) => message.deadline < now)) return "expired";
    for (const { verifyingContract, signer, message } of signatures) {
      if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) return "cancelled";
    }
    return "refused";
  }

  async function answer<Result>(settled: SettledOperation): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber } = settled;
    const indexedBlock = await deps.index.waitForBlock(blockNumber);
    return { result: settled.result as Result, txHash, blockNumber, indexedBlock };
  }

  async function settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result> {
    const signed = signaturesOf(definition, given);
    const { operation, snapshot, items } = await verified(definition, request, signed, requester);
    for (const { verifyingContract, signer, message } of signed) {
      if (await ledger.isNonceUsed(verifyingContract, signer, message.nonce)) {
        throw new ApiError("NONCE_USED");
      }
    }
    // Stored and done before the nonce is used: when a part does not answer, the signature still counts.
    for (const item of items) await deps.archive.archive(item);
    const { payload } = operation;
    const { network } = requester;
    const result = await definition.settle(request, snapshot, { payload, network });
    await ledger.settleOffChain(operation, async (tx) => definition.onAccept?.(tx, operation));
    return result;
  }

  async function recover(definitions: readonly ChainOperationEnd<Transaction>[]): Promise<void> {
    const failures: unknown[] = [];
    for (const operation of await ledger.listAccepted()) {
      const definition = definitions.find(({ kind }) => kind === operation.kind);
      if (!definition) {
        failures.push(new Error(`Operation ${operation.id} is of no known kind.`));
        continue;
      }
      await finish(definition, operation).catch((error: unknown) => {
        // Refused by the chain: its end and the reason are stored.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} operations could not be finished.`);
    }
  }

  return { prepare, perform, settle, recover };
}

/** The relayer's name for an operation, and what its gas is set aside under. */
function operationIdOf(
  { prefix = "operation" }: { readonly prefix?: string },
  { id }: Pick<Operation, "id">,
): string {
  return `${prefix}:${id}`;
}

function requestHashOf<Request>(
  { requestJson }: { requestJson(request: Request): unknown },
  request: Request,
): Hex {
  return sha256(stringToBytes(canonicalJson(requestJson(request))));
}

/**
 * Refuses a message that says anything else than `expected`.
 *
 * @throws ApiError INVALID_REQUEST naming every field that differs.
 */
function assertSays(message: object, expected: object): void {
  const said = message as Readonly<Record<string, unknown>>;
  const issues = Object.entries(expected)
    .filter(([field, value]) => said[field] !== value)
    .map(([field, value]) => ({
      path: `message.${field}`,
      message: `This request needs ${String(value)}`,
    }));
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The signed message is not about this request.",
      details: { issues },
    });
  }
}
