import type { Address, Hex } from "viem";
import type { ApiError } from "../kernel/errors.ts";
import type { Sponsor } from "../platform/sponsorship/sponsorship.ts";
import type { Operation, OperationExecution, OperationFailure } from "./operation.ts";

export interface SettledOperation extends OperationExecution {
  readonly result: unknown;
}

/** What an accepted operation costs the service, and whose share of the day's gas that is. */
export interface SetAside {
  /** Names the transaction; see `operationIdOf`. */
  readonly operationId: string;
  readonly gas: bigint;
  readonly sponsor: Sponsor;
}

/** Accepted operations and how they ended. */
export interface OperationLedger<Transaction> {
  /** The operation that one of these digests belongs to, unless it ended without using its nonce. */
  find(digests: readonly Hex[]): Promise<{
    readonly operation: Operation;
    /** Null while it is being carried out. */
    readonly settled: SettledOperation | null;
  } | null>;
  /** Whether a signature of this signer with this nonce is accepted or settled. */
  isNonceUsed(verifier: Address, signer: Address, nonce: bigint): Promise<boolean>;
  /** The oldest first. */
  listAccepted(): Promise<Operation[]>;
  /**
   * Accepts an operation and sets its gas aside, unless a digest of it is known.
   *
   * @throws ApiError NONCE_USED when a nonce belongs to another message; GAS_BUDGET_EXHAUSTED; what `onAccept` throws.
   */
  accept(
    operation: Operation,
    setAside: SetAside,
    onAccept: (transaction: Transaction) => Promise<void>,
  ): Promise<"accepted" | "known">;
  /** Writes the end and what follows from it in one transaction, once. Returns the end that is stored. */
  settle(
    operation: Operation,
    settled: SettledOperation,
    onSettle: (transaction: Transaction) => Promise<void>,
  ): Promise<SettledOperation>;
  /**
   * Writes an operation that no contract verifies, and its end, at once.
   *
   * @throws ApiError NONCE_USED for the second of a nonce.
   */
  settleOffChain(
    operation: Operation,
    onAccept: (transaction: Transaction) => Promise<void>,
  ): Promise<void>;
  /** Ends an operation that the chain refused. Its gas is given back unless it was spent; its nonces can be sent again. */
  end(
    operation: Operation,
    how: {
      readonly state: OperationFailure;
      readonly reason: ApiError;
      readonly isSuperseded: boolean;
      readonly isGasSpent: boolean;
      /** Names its gas; see `operationIdOf`. */
      readonly operationId: string;
    },
    onEnd: (transaction: Transaction) => Promise<void>,
  ): Promise<void>;
}
