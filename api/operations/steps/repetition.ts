import type { Hex } from "viem";
import { ApiError, isRefusal } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type {
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  Operation,
  OperationSignature,
  PerformedOperation,
} from "../operation.ts";
import { requestHashOf } from "../verify.ts";
import type { EngineParts } from "./parts.ts";

/** A repetition of a signed request. */
export interface Repetition {
  readonly signed: readonly OperationSignature[];
  readonly requestHash: Hex;
  readonly operationKey: string;
  /**
   * The refusal of a repetition under another operation key; null when a valid signature is enough.
   */
  readonly refusal: ApiError | null;
}

type RepeatedRequest = Pick<Repetition, "signed" | "requestHash"> & { readonly kind: string };

export type Repetitions = ReturnType<typeof createRepetitions>;

/** Repeats the stored answer for a signed request that was sent before. */
export function createRepetitions({
  ledger,
  verifier,
  carryOut,
}: Pick<EngineParts, "ledger" | "verifier" | "carryOut">) {
  async function repetitionOf<Request, Snapshot, Payload>(
    definition: ChainOperation<Request, Snapshot, Payload>,
    request: Request,
    signatures: readonly GivenSignature[],
    { operationKey }: Requester,
  ): Promise<Repetition> {
    const signed = await verifier.signaturesOf(definition, signatures);
    return {
      signed,
      operationKey,
      requestHash: requestHashOf(definition, request),
      refusal: definition.refuseRepetition?.(request) ?? null,
    };
  }

  /** The answer of an operation that was accepted with one of these signatures; null without one. */
  async function knownAnswer<Result>(
    definition: ChainOperationEnd,
    { signed, requestHash, operationKey, refusal }: Repetition,
  ): Promise<PerformedOperation<Result> | null> {
    const known = await ledger.find(signed.map(({ digest }) => digest));
    if (!known) return null;
    const { operation, settled } = known;
    if (refusal && operation.operationKey !== operationKey) throw refusal;
    assertSameRequest(operation, { kind: definition.kind, requestHash, signed });
    if (operation.operationKey !== operationKey) {
      await verifier.assertSignedAgain(operation, signed);
    }
    return settled
      ? carryOut.answer<Result>(settled)
      : carryOut.finish<Result>(definition, operation);
  }

  /**
   * Null instead of a refusal if the same signature was accepted in the meantime: the refusal is
   * then caused by its own effect.
   */
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

  return { repetitionOf, knownAnswer, unlessKnown };
}

/** @throws ApiError NONCE_USED when the signatures were first submitted with another request. */
export function assertSameRequest(
  operation: Operation,
  { kind, requestHash, signed }: RepeatedRequest,
): void {
  const isSame = operation.kind === kind && operation.requestHash === requestHash;
  const isOfIt = (digest: Hex) => operation.signatures.some((one) => one.digest === digest);
  if (isSame && signed.every(({ digest }) => isOfIt(digest))) return;
  throw new ApiError("NONCE_USED", {
    message: "This signature was already submitted with another request.",
  });
}

/** The error that a definition reports instead of one that kept a request from being accepted. */
export async function reportedError<Request>(
  definition: Pick<ChainOperation<Request>, "reportedError">,
  request: Request,
  error: unknown,
): Promise<unknown> {
  return definition.reportedError ? definition.reportedError(request, error) : error;
}
