import type { Address, Hex } from "viem";
import type { ApiError } from "../kernel/errors.ts";
import type { Transaction } from "../platform/database/transaction.ts";
import type { Sponsor } from "../platform/sponsorship/gas-budget.ts";
import type {
  Operation,
  OperationExecution,
  OperationFailure,
  Subject,
  WaitingOperation,
} from "./operation.ts";

export interface SettledOperation extends OperationExecution {
  readonly result: unknown;
}

/** What an accepted operation costs the service, and whose share of the day's gas that is. */
export interface SetAside {
  /** Names the transaction; see `operationIdOf`. */
  readonly operationId: string;
  readonly gas: bigint;
  /** The wallet whose monthly registrations it counts on; null when it is not a registration. */
  readonly registrant: Address | null;
  readonly sponsor: Sponsor;
}

/** What became of the gas that was set aside for an operation. */
export interface GasUse {
  readonly isGasSpent: boolean;
  /** Names that gas; see `operationIdOf`. */
  readonly operationId: string;
}

/** How an operation ended that was not carried out. */
export interface OperationEnding {
  readonly state: OperationFailure;
  readonly reason: ApiError;
  readonly isSuperseded: boolean;
}

export interface WaitingFilter {
  /** The subject that an operation must have. */
  readonly subject?: Pick<Subject, "kind" | "id"> | undefined;
  /** Id of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** An operation that has not ended, found by a request for the same decision. */
export type OpenDecision =
  | { readonly state: "waiting"; readonly operation: WaitingOperation }
  | { readonly state: "accepted"; readonly operation: Operation };

/** Operations that wait for a signature. */
export interface WaitingLedger {
  /** The waiting or accepted operation of this request, of a kind whose signers may sign at different times. */
  findDecision(kind: string, requestHash: Hex): Promise<OpenDecision | null>;
  /** Null unless it still waits. */
  readWaiting(id: string): Promise<WaitingOperation | null>;
  /** Newest first. `party` must sign, or has signed. */
  listWaiting(
    filter: WaitingFilter & {
      readonly kinds: readonly string[];
      readonly party?: Address;
      readonly limit: number;
    },
  ): Promise<WaitingOperation[]>;
  /**
   * Stores an operation with its first signatures, unless the same request waits or is carried out already.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED; NONCE_USED when a nonce belongs to another operation; what `onWait` throws.
   */
  wait(
    operation: Operation & WaitingOperation,
    onWait: (transaction: Transaction) => Promise<void>,
  ): Promise<"waiting" | "known">;
  /**
   * Accepts a waiting operation with the signatures that it lacked; `known` when it waits no longer.
   *
   * @throws ApiError as `accept` does.
   */
  acceptWaiting(
    operation: Operation,
    setAside: SetAside,
    onAccept: (transaction: Transaction) => Promise<void>,
  ): Promise<"accepted" | "known">;
  /** Ends it, once: nothing happens when it waits no longer. */
  endWaiting(
    id: string,
    how: OperationEnding,
    onEnd: (transaction: Transaction) => Promise<void>,
  ): Promise<void>;
}

/** Operations and how they ended. */
export interface OperationLedger extends WaitingLedger {
  /** The accepted operation that one of these digests belongs to, unless it ended without using its nonce. */
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
   * @param waiting Of a kind whose signers may sign at different times: `known` also means that the same request waits or is
   * carried out.
   * @throws ApiError NONCE_USED when a nonce belongs to another message; GAS_BUDGET_EXHAUSTED; what `onAccept` throws.
   */
  accept(
    operation: Operation,
    setAside: SetAside,
    onAccept: (transaction: Transaction) => Promise<void>,
    waiting?: { readonly request: unknown },
  ): Promise<"accepted" | "known">;
  /**
   * Writes the end and its follow-up rows in one transaction, once. Gas that the service did not
   * spend, because another sender paid, is given back. Returns the end that is stored.
   */
  settle(
    operation: Operation,
    how: SettledOperation & GasUse,
    onSettle: (transaction: Transaction) => Promise<void>,
  ): Promise<SettledOperation>;
  /**
   * Writes an operation that no contract verifies, and its end, at once.
   *
   * @throws ApiError NONCE_USED for a nonce that is used already.
   */
  settleOffChain(
    operation: Operation,
    onAccept: (transaction: Transaction) => Promise<void>,
  ): Promise<void>;
  /** Ends an operation that the chain refused. Its gas is given back unless it was spent; its nonces can be sent again. */
  end(
    operation: Operation,
    how: OperationEnding & GasUse,
    onEnd: (transaction: Transaction) => Promise<void>,
  ): Promise<void>;
}
