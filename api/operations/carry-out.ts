import { type ApiError, isRefusal, RevertedError } from "../kernel/errors.ts";
import type { Call, Relayer } from "../platform/chain/transactions.ts";
import { traced } from "../platform/tracing/spans.ts";
import type { OperationLedger, SettledOperation } from "./ledger.ts";
import type {
  ChainOperationEnd,
  FoundExecution,
  Operation,
  OperationChain,
  OperationExecution,
  OperationFailure,
  PerformedOperation,
} from "./operation.ts";
import { unixSeconds } from "./signing-deadline.ts";

export interface CarryOutDeps {
  readonly chain: Pick<OperationChain, "executedIn" | "isNonceUsed">;
  readonly relayer: Pick<Relayer, "run">;
  readonly ledger: Pick<OperationLedger, "settle" | "end">;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
}

type Signed = Pick<Operation, "signatures" | "acceptedBlock">;

export type CarryOut = ReturnType<typeof createCarryOut>;

/** Sends accepted operations, and writes how they ended. */
export function createCarryOut(deps: CarryOutDeps) {
  const { chain, clock, ledger } = deps;

  /** Carries an operation out, in the trace that accepted it. */
  function finish<Result>(
    definition: ChainOperationEnd,
    operation: Operation,
  ): Promise<PerformedOperation<Result>> {
    const { id, kind, traceparent: of } = operation;
    const attributes = { "svc.operation.id": id, "svc.operation.kind": kind };
    return traced(`operation ${kind}`, { of, attributes }, () =>
      send<Result>(definition, operation),
    );
  }

  async function send<Result>(
    definition: ChainOperationEnd,
    operation: Operation,
  ): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber, isGasSpent } = await executionOf(definition, operation);
    const execution = { txHash, blockNumber };
    const result = await definition.result(operation, execution);
    const operationId = operationIdOf(definition, operation);
    const end = { ...execution, result, isGasSpent, operationId };
    const settled = await ledger.settle(operation, end, async (tx) =>
      definition.onSettle?.(tx, operation, execution, result),
    );
    return answer<Result>(settled);
  }

  async function executionOf(
    definition: ChainOperationEnd,
    operation: Operation,
  ): Promise<OperationExecution & { readonly isGasSpent: boolean }> {
    const operationId = operationIdOf(definition, operation);
    let hasReverted = false;
    const failed = (error: unknown) => {
      hasReverted ||= error instanceof RevertedError;
    };
    try {
      const { transactionHash, blockNumber } = await sent(
        definition,
        operation,
        operationId,
        failed,
      );
      return { txHash: transactionHash, blockNumber, isGasSpent: true };
    } catch (error) {
      failed(error);
      if (!(error instanceof RevertedError) && !isRefusal(error)) throw error;
      // Any account can send a copied signature. The operation is then carried out by that sender.
      const elsewhere = await carriedOutElsewhere(operation);
      if (elsewhere) return { ...elsewhere, isGasSpent: hasReverted || elsewhere.isOwn };
      const state = await failureOf(operation);
      const isSuperseded = (await definition.isSuperseded?.(operation)) ?? false;
      await ledger.end(
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
    definition: ChainOperationEnd,
    operation: Operation,
    operationId: string,
    failed: (error: unknown) => void,
  ) {
    const gas = definition.gas(operation.payload);
    const run = (name: string, build: () => Promise<Call> | Call) =>
      deps.relayer.run(name, async () => ({ ...(await build()), gas }), definition.signer);
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
  async function carriedOutElsewhere({
    signatures,
    acceptedBlock: fromBlock,
  }: Signed): Promise<FoundExecution | null> {
    for (const { verifyingContract: verifier, signer, digest } of signatures) {
      const execution = await chain.executedIn({ verifier, signer, digest, fromBlock });
      if (execution) return execution;
    }
    return null;
  }

  /** Why signatures that were valid at acceptance are refused now. */
  async function failureOf({ signatures }: Signed): Promise<OperationFailure> {
    const now = unixSeconds(clock());
    if (signatures.some(({ message }) => message.deadline < now)) return "expired";
    for (const { verifyingContract, signer, message } of signatures) {
      if (await chain.isNonceUsed(verifyingContract, signer, message.nonce)) return "cancelled";
    }
    return "refused";
  }

  async function answer<Result>(settled: SettledOperation): Promise<PerformedOperation<Result>> {
    const { txHash, blockNumber } = settled;
    const indexedBlock = await traced("wait for index", {}, () =>
      deps.index.waitForBlock(blockNumber),
    );
    return { result: settled.result as Result, txHash, blockNumber, indexedBlock };
  }

  return { finish, answer, failureOf, carriedOutElsewhere };
}

/** The relayer's name for an operation, and what its gas is set aside under. */
export function operationIdOf(
  { prefix = "operation" }: { readonly prefix?: string },
  { id }: Pick<Operation, "id">,
): string {
  return `${prefix}:${id}`;
}
