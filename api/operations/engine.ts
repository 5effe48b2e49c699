import type { Hex } from "viem";
import { ApiError, isRefusal } from "../kernel/errors.ts";
import type { OwnerSignatures } from "../kernel/signatures.ts";
import type { Relayer } from "../platform/chain/transactions.ts";
import type { Requester } from "../platform/sponsorship/sponsorship.ts";
import { createCarryOut, operationIdOf } from "./carry-out.ts";
import type { OperationLedger, SetAside } from "./ledger.ts";
import type {
  ArchivedContent,
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  MessageType,
  NonceAndDeadline,
  Operation,
  OperationChain,
  OperationSignature,
  PerformedOperation,
  PostgresOperation,
  RequiredSignature,
  WaitingOperation,
} from "./operation.ts";
import { signingDeadline } from "./signing-deadline.ts";
import type { SigningDomains } from "./signing-domains.ts";
import type { AnyDefinition, VerifiedSignatures } from "./verify.ts";
import { createOperationVerifier, nonceUsed, requestHashOf, unsigned } from "./verify.ts";
import {
  createWaiting,
  toView,
  type WaitingOperations,
  type WaitingView,
} from "./waiting/waiting.ts";

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
export interface PreparedMessage extends RequiredSignature, MessageType {
  readonly message: NonceAndDeadline & object;
}

/** What a request comes to whose signers may sign at different times. */
export type SubmittedOperation<Request, Result> =
  | { readonly state: "waiting"; readonly waiting: WaitingView<Request> }
  | { readonly state: "settled"; readonly performed: PerformedOperation<Result> };

export interface OperationEngine<Transaction> {
  /**
   * The messages to sign for a request, with fresh nonces. There are 15 minutes to sign them, and as long as the type allows when
   * the signers may sign at different times.
   *
   * @throws ApiError of everything that `perform` or `settle` would refuse before it looks at a signature.
   */
  prepare<Request, Snapshot, Payload>(
    definition: AnyDefinition<Transaction, Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessage[]>;
  /**
   * Carries out on chain what was signed. The same signed request gives the same answer, however often it is sent.
   *
   * @throws ApiError of the definition's `read`; NOT_OWNER; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED, NONCE_EXPIRED, NONCE_USED;
   * INVALID_REQUEST naming every field of a message that disagrees, or who has to sign; the definition's own; the contract's
   * refusal.
   */
  perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>>;
  /**
   * As `perform`, for a definition with `waiting`: with some of the signatures, the operation waits for the others, which may come
   * with any later request that says the same. When the last one arrives, everything is checked again.
   *
   * @throws ApiError as `perform` does; RATE_LIMIT_EXCEEDED when too many wait already.
   */
  submit<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<SubmittedOperation<Request, Result>>;
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
  /** What waits for signatures. */
  readonly waiting: WaitingOperations<Transaction>;
  /**
   * Drives every operation that a stopped process left behind to its end.
   *
   * @param definitions Of every kind that can be stored.
   * @throws AggregateError of what could not be finished now, after trying all.
   */
  recover(definitions: readonly ChainOperationEnd<Transaction>[]): Promise<void>;
}

/** A repetition of a signed request. */
interface Repetition {
  readonly signed: readonly OperationSignature[];
  readonly requestHash: Hex;
  readonly operationKey: string;
  /** What a repetition under another operation key gets; null when a valid signature is enough. */
  readonly refusal: ApiError | null;
}

/** How often a submission looks again after another request has changed the same decision. */
const ATTEMPTS = 5;

/** Carries out what people sign. What is particular to one kind of decision is in its definition. */
export function createOperationEngine<Transaction>(
  deps: OperationEngineDeps<Transaction>,
): OperationEngine<Transaction> {
  const { chain, clock, ledger } = deps;
  const verifier = createOperationVerifier(deps);
  const carryOut = createCarryOut<Transaction>(deps);
  const waiting = createWaiting<Transaction>({ ledger, verifier, carryOut });
  const { signaturesOf, verified } = verifier;
  const { finish } = carryOut;

  async function prepare<Request, Snapshot, Payload>(
    definition: AnyDefinition<Transaction, Request, Snapshot, Payload>,
    request: Request,
  ): Promise<PreparedMessage[]> {
    const snapshot = await definition.read(request);
    const required = definition.signatures(request, snapshot);
    const { messages, payload } = await definition.plan(request, snapshot);
    const isWaiting =
      definition.settlement === "chain" && definition.waiting !== undefined && required.length > 1;
    const prepared: PreparedMessage[] = [];
    for (const { role, signer } of required) {
      const type = definition.messageTypes[role];
      if (!type) throw new Error(`${definition.kind} has no message of the ${role}.`);
      const isPermit = type.contract === "Stablecoin";
      const nonce = isPermit ? await chain.permitNonce(signer) : deps.randomNonce();
      const deadline =
        deadlineOf(definition, request, snapshot) ??
        signingDeadline(clock(), isWaiting ? type.maxAheadMs : undefined);
      prepared.push({ ...type, role, signer, message: { ...messages[role], nonce, deadline } });
    }
    // What two people sign cannot be simulated yet.
    if (definition.settlement === "chain" && required.length === 1) {
      const signatures = prepared.map(({ role, signer, message }) => ({
        role,
        signer,
        message,
        signature: "0x" as const,
      }));
      if (definition.assertAcceptable) {
        await definition.assertAcceptable(request, snapshot, { payload, signatures });
      } else {
        const call = definition.call({ payload, signatures });
        // Sent by its owner, a call needs no signature.
        await chain.simulate(call, definition.gas(payload), required[0]?.signer);
      }
    }
    return prepared;
  }

  async function perform<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<PerformedOperation<Result>> {
    const repetition = await repetitionOf(definition, request, given, requester);
    const { signed, operationKey } = repetition;
    const known = await knownAnswer<Result>(definition, repetition);
    if (known) return known;
    const reported = (error: unknown) => reportedError(definition, request, error);
    const operation = await unlessKnown(repetition, reported, async () => {
      const checked = await verified(definition, request, signed, operationKey);
      const [absent] = checked.missing;
      if (absent) throw unsigned(absent.role);
      const setAside = await setAsideFor(definition, request, checked, requester);
      const outcome = await ledger.accept(checked.operation, setAside, async (tx) =>
        definition.onAccept?.(tx, checked.operation, checked.snapshot),
      );
      return outcome === "accepted" ? checked.operation : null;
    });
    if (operation) return finish<Result>(definition, operation);
    const answer = await knownAnswer<Result>(definition, repetition);
    // Another request had it accepted, and the chain has refused it since.
    if (!answer) throw new ApiError("NONCE_USED");
    return answer;
  }

  async function submit<Request, Snapshot, Payload, Result>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<SubmittedOperation<Request, Result>> {
    const repetition = await repetitionOf(definition, request, given, requester);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const known = await knownAnswer<Result>(definition, repetition);
      if (known) return { state: "settled", performed: known };
      const decision = await ledger.findDecision(definition.kind, repetition.requestHash);
      if (decision?.state === "accepted") {
        // A signer of the same decision gets its answer, and nothing is sent again.
        await verifier.assertSignedAgain(decision.operation, repetition.signed);
        const performed = await finish<Result>(definition, decision.operation);
        return { state: "settled", performed };
      }
      const earlier = decision ? { ...decision.operation, request } : null;
      if (earlier && !(await waiting.stillCounts(definition, earlier))) continue;
      // Its other signer may have it accepted meanwhile, with another signature in the same role.
      const digests = repetition.signed.concat(earlier?.signatures ?? []);
      const reported = (error: unknown) => reportedError(definition, request, error);
      const step = await unlessKnown({ ...repetition, signed: digests }, reported, () =>
        advance(definition, request, { repetition, requester, earlier }),
      );
      if (step === null && earlier) {
        const winner = await ledger.find(earlier.signatures.map(({ digest }) => digest));
        if (winner) {
          await verifier.assertSignedAgain(winner.operation, repetition.signed);
          const performed = winner.settled
            ? await carryOut.answer<Result>(winner.settled)
            : await finish<Result>(definition, winner.operation);
          return { state: "settled", performed };
        }
      }
      if (step?.state === "waiting") return step;
      if (step) {
        const performed = await finish<Result>(definition, step.operation);
        return { state: "settled", performed };
      }
    }
    throw new ApiError("SERVICE_UNAVAILABLE", {
      message: "Other requests keep changing this operation. Retry after a moment.",
    });
  }

  /** Stores what a request adds to a decision. Null when another request has changed it in the meantime. */
  async function advance<Request, Snapshot, Payload>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload>,
    request: Request,
    context: {
      readonly repetition: Repetition;
      readonly requester: Requester;
      readonly earlier: WaitingOperation<Request> | null;
    },
  ): Promise<
    | { readonly state: "waiting"; readonly waiting: WaitingView<Request> }
    | { readonly state: "accepted"; readonly operation: Operation }
    | null
  > {
    const { earlier, requester, repetition } = context;
    const { signed, operationKey } = repetition;
    const stored = earlier?.signatures ?? [];
    const added = signed.filter(({ role }) => !stored.some((one) => one.role === role));
    // A second signature in the same role changes nothing, and is checked as any other.
    if (added.length < signed.length) await verified(definition, request, signed, operationKey);
    const checked = await verified(definition, request, [...stored, ...added], operationKey);
    const operation = { ...checked.operation, id: earlier?.id ?? checked.operation.id };
    if (checked.missing.length > 0) {
      const [absent] = checked.missing;
      if (!definition.waiting && absent) throw unsigned(absent.role);
      if (earlier) return { state: "waiting", waiting: toView(earlier) };
      const { required: parties } = checked;
      // What it needs is planned anew when the last signature arrives.
      const begun = {
        ...operation,
        secrets: null,
        request,
        parties,
        createdAt: operation.acceptedAt,
      };
      const outcome = await ledger.wait(begun, async (tx) =>
        definition.waiting?.onWait?.(tx, begun),
      );
      return outcome === "waiting" ? { state: "waiting", waiting: toView(begun) } : null;
    }
    const setAside = await setAsideFor(definition, request, checked, requester, operation.id);
    const onAccept = async (tx: Transaction) =>
      definition.onAccept?.(tx, operation, checked.snapshot);
    const outcome = earlier
      ? await ledger.acceptWaiting(operation, setAside, onAccept)
      : await ledger.accept(operation, setAside, onAccept, { request });
    return outcome === "accepted" ? { state: "accepted", operation } : null;
  }

  /** Simulates what was signed and stores its content. Returns what it costs. */
  async function setAsideFor<Request, Snapshot, Payload>(
    definition: ChainOperation<Transaction, Request, Snapshot, Payload>,
    request: Request,
    { operation, snapshot, items }: VerifiedSignatures<Snapshot, Payload>,
    { network }: Requester,
    id = operation.id,
  ): Promise<SetAside> {
    const gas = definition.gas(operation.payload);
    // The contract checks everything again before anything is written.
    await chain.simulate(definition.call(operation), gas);
    for (const item of items) await deps.archive.archive(item);
    const standing = await definition.standing(request, snapshot);
    return {
      operationId: operationIdOf(definition, { id }),
      gas,
      registrant: definition.registrant?.(request, snapshot) ?? null,
      sponsor: { network, standing },
    };
  }

  async function repetitionOf<Request, Snapshot, Payload>(
    definition: AnyDefinition<Transaction, Request, Snapshot, Payload>,
    request: Request,
    given: readonly GivenSignature[],
    { operationKey }: Requester,
  ): Promise<Repetition> {
    const signed = await signaturesOf(definition, given);
    const refusal =
      definition.settlement === "chain" ? definition.refuseRepetition?.(request) : undefined;
    return {
      signed,
      operationKey,
      requestHash: requestHashOf(definition, request),
      refusal: refusal ?? null,
    };
  }

  /** The answer of an operation that was accepted with one of these signatures; null without one. */
  async function knownAnswer<Result>(
    definition: ChainOperationEnd<Transaction>,
    { signed, requestHash, operationKey, refusal }: Repetition,
  ): Promise<PerformedOperation<Result> | null> {
    const known = await ledger.find(signed.map(({ digest }) => digest));
    if (!known) return null;
    const { operation, settled } = known;
    if (refusal && operation.operationKey !== operationKey) throw refusal;
    const isSame = operation.kind === definition.kind && operation.requestHash === requestHash;
    const isOfIt = (digest: Hex) => operation.signatures.some((one) => one.digest === digest);
    if (!isSame || !signed.every(({ digest }) => isOfIt(digest))) {
      throw new ApiError("NONCE_USED", {
        message: "This signature was already submitted with another request.",
      });
    }
    if (operation.operationKey !== operationKey) {
      await verifier.assertSignedAgain(operation, signed);
    }
    return settled ? carryOut.answer<Result>(settled) : finish<Result>(definition, operation);
  }

  /** Null instead of a refusal when the same signature has been accepted since it was looked up: then its effect refuses it. */
  async function unlessKnown<Step>(
    { signed }: Repetition,
    reported: (error: unknown) => Promise<unknown>,
    step: () => Promise<Step>,
  ): Promise<Step | null> {
    try {
      return await step();
    } catch (error) {
      if (isRefusal(error) && (await ledger.find(signed.map(({ digest }) => digest)))) return null;
      throw await reported(error);
    }
  }

  async function settle<Request, Snapshot, Payload, Result>(
    definition: PostgresOperation<Transaction, Request, Snapshot, Payload, Result>,
    request: Request,
    given: readonly GivenSignature[],
    requester: Requester,
  ): Promise<Result> {
    const signed = await signaturesOf(definition, given);
    const { network, operationKey } = requester;
    const checked = await verified(definition, request, signed, operationKey);
    const { operation, snapshot, items, missing } = checked;
    const [absent] = missing;
    if (absent) throw unsigned(absent.role);
    for (const { verifyingContract, signer, message } of signed) {
      if (await ledger.isNonceUsed(verifyingContract, signer, message.nonce)) {
        throw nonceUsed(signer, message.nonce);
      }
    }
    // Stored and done before the nonce is used: when a part does not answer, the signature still counts.
    for (const item of items) await deps.archive.archive(item);
    const { payload } = operation;
    const result = await definition.settle(request, snapshot, { payload, network });
    await ledger.settleOffChain(operation, async (tx) =>
      definition.onAccept?.(tx, operation, snapshot),
    );
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

  return { prepare, perform, submit, settle, recover, waiting: waiting.operations };
}

function deadlineOf<Request, Snapshot, Payload>(
  definition: AnyDefinition<unknown, Request, Snapshot, Payload>,
  request: Request,
  snapshot: Snapshot,
): bigint | null {
  if (definition.settlement !== "chain") return null;
  return definition.deadline?.(request, snapshot) ?? null;
}

async function reportedError<Request>(
  definition: Pick<ChainOperation<unknown, Request>, "reportedError">,
  request: Request,
  error: unknown,
): Promise<unknown> {
  return definition.reportedError ? definition.reportedError(request, error) : error;
}
