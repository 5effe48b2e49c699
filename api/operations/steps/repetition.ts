import type { Hex } from "viem";
import { ApiError, isRefusal } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import { answered, finish } from "../carry-out.ts";
import type {
  ChainOperation,
  ChainOperationEnd,
  GivenSignature,
  Operation,
  OperationSignature,
  PerformedOperation,
} from "../operation.ts";
import { assertSignedAgain, requestHashOf, signaturesOf } from "../verify.ts";
import type { EngineContext } from "./context.ts";

/** What tells whether a signed request was sent before. */
export type Repetition = Awaited<ReturnType<typeof repetitionOf>>;

export async function repetitionOf<Request, Snapshot, Payload>(
  engine: EngineContext,
  definition: ChainOperation<Request, Snapshot, Payload>,
  request: Request,
  signatures: readonly GivenSignature[],
  { operationKey }: Requester,
) {
  return {
    signed: await signaturesOf(engine, definition, signatures),
    operationKey,
    requestHash: requestHashOf(definition, request),
    /** The refusal under another operation key; null when a valid signature is enough. */
    refusal: definition.refuseRepetition?.(request) ?? null,
  };
}

/** The answer of an operation that was accepted with one of these signatures; null without one. */
export async function knownAnswer<Result>(
  engine: EngineContext,
  definition: ChainOperationEnd,
  { signed, requestHash, operationKey, refusal }: Repetition,
): Promise<PerformedOperation<Result> | null> {
  const known = await engine.ledger.find(signed.map(({ digest }) => digest));
  if (!known) return null;
  const { operation, settled } = known;
  if (refusal && operation.operationKey !== operationKey) throw refusal;
  assertSameRequest(operation, { kind: definition.kind, requestHash, signed });
  if (operation.operationKey !== operationKey) await assertSignedAgain(engine, operation, signed);
  return settled
    ? answered<Result>(engine, settled)
    : finish<Result>(engine, definition, operation);
}

/**
 * Null instead of a refusal if one of the signatures was accepted in the meantime: the refusal is then caused by its own effect.
 * Other errors are those that the definition reports.
 */
export async function unlessKnown<Request, Step>(
  { ledger }: EngineContext,
  definition: Pick<ChainOperation<Request>, "reportedError">,
  request: Request,
  signed: readonly OperationSignature[],
  step: () => Promise<Step>,
): Promise<Step | null> {
  try {
    return await step();
  } catch (error) {
    if (isRefusal(error) && (await ledger.find(signed.map(({ digest }) => digest)))) return null;
    throw definition.reportedError ? await definition.reportedError(request, error) : error;
  }
}

/** @throws ApiError NONCE_USED when the signatures were first submitted with another request. */
export function assertSameRequest(
  operation: Operation,
  {
    kind,
    requestHash,
    signed,
  }: Pick<Operation, "kind" | "requestHash"> & { readonly signed: readonly OperationSignature[] },
): void {
  const isSame = operation.kind === kind && operation.requestHash === requestHash;
  const isOfIt = (digest: Hex) => operation.signatures.some((one) => one.digest === digest);
  if (isSame && signed.every(({ digest }) => isOfIt(digest))) return;
  throw new ApiError("NONCE_USED", {
    message: "This signature was already submitted with another request.",
  });
}
