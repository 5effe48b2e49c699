import { type ApiError, isRefusal, RevertedError } from "../kernel/errors.ts";
import type { Call } from "../platform/chain/transactions.ts";
import { traced } from "../platform/tracing/spans.ts";
import type {
  ChainOperationEnd,
  Operation,
  OperationExecution,
  OperationFailure,
  PerformedOperation,
} from "./operation.ts";
import type { SettledOperation } from "./operation-rows.store.ts";
import { unixSeconds } from "./signing-deadline.ts";
import type { EngineContext } from "./steps/context.ts";

type Signed = Pick<Operation, "signatures" | "acceptedBlock">;

/** Sends an accepted operation, and writes how it ended, in the trace that accepted it. */
export function finish<Result>(
  engine: EngineContext,
  definition: ChainOperationEnd,
  operation: Operation,
): Promise<PerformedOperation<Result>> {
  const { id, kind, traceparent: of } = operation;
  const attributes = { "svc.operation.id": id, "svc.operation.kind": kind };
  return traced(`operation ${kind}`, { of, attributes }, async () => {
    const { txHash, blockNumber, isGasSpent } = await executionOf(engine, definition, operation);
    const execution = { txHash, blockNumber };
    const result = await definition.result(operation, execution);
    const operationId = operationIdOf(definition, operation);
    const end = { ...execution, result, isGasSpent, operationId };
    const settled = await engine.ledger.settle(operation, end, async (tx) =>
      definition.onSettle?.(tx, operation, execution, result),
    );
    return answered<Result>(engine, settled);
  });
}

async function executionOf(
  engine: EngineContext,
  definition: ChainOperationEnd,
  operation: Operation,
): Promise<OperationExecution & { readonly isGasSpent: boolean }> {
  let hasReverted = false;
  const failed = (error: unknown) => {
    hasReverted ||= error instanceof RevertedError;
  };
  try {
    const { transactionHash, blockNumber } = await sent(engine, definition, operation, failed);
    return { txHash: transactionHash, blockNumber, isGasSpent: true };
  } catch (error) {
    failed(error);
    if (!(error instanceof RevertedError) && !isRefusal(error)) throw error;
    // Any account can send a copied signature. The operation is then carried out by that sender.
    const elsewhere = await carriedOutElsewhere(engine, operation);
    if (elsewhere) return { ...elsewhere, isGasSpent: hasReverted || elsewhere.isOwn };
    const state = await failureOf(engine, operation);
    const isSuperseded = (await definition.isSuperseded?.(operation)) ?? false;
    const operationId = operationIdOf(definition, operation);
    await engine.ledger.end(
      operation,
      { state, reason: error as ApiError, isSuperseded, isGasSpent: hasReverted, operationId },
      async (tx) => definition.onEnd?.(tx, operation, state),
    );
    throw error;
  }
}

/**
 * The first transaction, or the second where the first was built on what no longer holds.
 *
 * @param failed Told of the first one's error: it may have spent gas.
 */
async function sent(
  { relayer }: EngineContext,
  definition: ChainOperationEnd,
  operation: Operation,
  failed: (error: unknown) => void,
) {
  const operationId = operationIdOf(definition, operation);
  const gas = definition.gas(operation.payload);
  const run = (name: string, build: () => Promise<Call> | Call) =>
    relayer.run(name, async () => ({ ...(await build()), gas }), definition.signer);
  const { buildCall, secondAttempt } = definition;
  try {
    return await run(operationId, () =>
      buildCall ? buildCall(operation) : definition.call(operation),
    );
  } catch (error) {
    if (!secondAttempt?.isFor(error, operation)) throw error;
    failed(error);
    return run(`${operationId}.second`, () => secondAttempt.buildCall(operation));
  }
}

/** The transaction that carried out one of its signatures, from any sender; null without one. */
export async function carriedOutElsewhere(
  { chain }: EngineContext,
  { signatures, acceptedBlock: fromBlock }: Signed,
) {
  for (const { verifyingContract: verifier, signer, digest } of signatures) {
    const execution = await chain.executedIn({ verifier, signer, digest, fromBlock });
    if (execution) return execution;
  }
  return null;
}

/** Why signatures that were valid at acceptance are refused now. */
export async function failureOf(
  { chain, clock }: EngineContext,
  { signatures }: Signed,
): Promise<OperationFailure> {
  const now = unixSeconds(clock());
  if (signatures.some(({ message }) => message.deadline < now)) return "expired";
  for (const { verifyingContract, signer, message } of signatures) {
    if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) return "cancelled";
  }
  return "refused";
}

/** The answer of an operation that was carried out, once the index shows it. */
export async function answered<Result>(
  { index }: EngineContext,
  { txHash, blockNumber, result }: SettledOperation,
): Promise<PerformedOperation<Result>> {
  const indexedBlock = await traced("wait for index", {}, () => index.waitForBlock(blockNumber));
  return { result: result as Result, txHash, blockNumber, indexedBlock };
}

/** The relayer's name for an operation, and what its gas is set aside under. */
export function operationIdOf(
  { prefix = "operation" }: { readonly prefix?: string },
  { id }: Pick<Operation, "id">,
): string {
  return `${prefix}:${id}`;
}
