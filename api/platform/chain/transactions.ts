import type { Address, Hex, TransactionReceipt } from "viem";

/** The content of a transaction; the relayer adds the rest. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /**
   * Gas limit: the gas that was reserved, where contracts of the owner's choice run. Default: the
   * limit of one transaction.
   */
  readonly gas?: bigint;
}

/**
 * Whose key signs a transaction. `registrar`: always that of RELAYER_PRIVATE_KEY, for transactions
 * that predict the next ids, or that must come from one account. `any`: a further key when one can
 * be used.
 */
export type Signer = "registrar" | "any";

export interface Relayer {
  /**
   * Runs operation `operationId` to its receipt exactly once, and resumes it after a crash. `build`
   * is called only when no transaction was signed for the operation; after a rejection it is called
   * again the next time.
   *
   * @param signer Default: `any`.
   * @throws ApiError of the contract's error in simulation, RevertedError of it on chain;
   * CHAIN_UNAVAILABLE when the chain does not answer or mine in time, or too much is queued. The
   * operation may still be mined, and the same call resumes it.
   */
  run(
    operationId: string,
    build: () => Promise<Call>,
    signer?: Signer,
  ): Promise<TransactionReceipt>;
  /**
   * Rebroadcasts and waits for everything that a previous process left unmined. Called at boot and
   * periodically.
   *
   * @throws ApiError CHAIN_UNAVAILABLE as `run` does.
   */
  recover(): Promise<void>;
  /**
   * Rejects queued work, stops waiting for sent transactions (a later `recover` finds them), and
   * releases the lease.
   */
  close(): Promise<void>;
}

/**
 * A transaction that was signed. It is stored before it is sent, so that a restart sends the same
 * bytes.
 */
export interface SignedTransaction {
  readonly operationId: string;
  readonly sender: Address;
  readonly nonce: number;
  /** The version last signed. */
  readonly raw: Hex;
  /** Hashes of every version signed, newest last: any of them may be the one that is mined. */
  readonly hashes: readonly Hex[];
  readonly gasLimit: bigint;
  /** Wei per gas of the version last signed. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** The trace that it was stored with. */
  readonly traceparent?: string | null | undefined;
}

export interface TransactionStore {
  find(operationId: string): Promise<SignedTransaction | null>;
  /**
   * The sender's transactions that are not known to be mined, and those from `nonce` on that were
   * mined in a block which the chain gave up. Lowest nonce first.
   */
  listUnsettled(sender: Address, nonce: number): Promise<SignedTransaction[]>;
  /** The highest nonce ever signed for, or null. */
  highestNonce(sender: Address): Promise<number | null>;
  /**
   * @throws OtherSenderError when the operation has a transaction already, and another error when
   * the sender's nonce has one.
   */
  insert(transaction: SignedTransaction, at: Date): Promise<void>;
  /** Replaces the bytes and fees, and adds the new hash to the old ones. */
  addVersion(
    operationId: string,
    version: Pick<SignedTransaction, "raw" | "maxFeePerGas" | "maxPriorityFeePerGas"> & {
      readonly hash: Hex;
    },
    at: Date,
  ): Promise<void>;
  settle(
    operationId: string,
    outcome: {
      readonly status: "mined" | "reverted";
      readonly blockNumber: bigint;
      readonly gasUsed: bigint;
    },
    at: Date,
  ): Promise<void>;
  /** For a transaction that can never be mined: another one took its nonce. */
  remove(operationId: string): Promise<void>;
}

/** Another account signed the operation's transaction: only its key may continue it. */
export class OtherSenderError extends Error {
  override readonly name = "OtherSenderError";
  constructor(readonly operationId: string) {
    super(
      `Another key signed the transaction of ${operationId}, and this process cannot continue it.`,
    );
  }
}

/** Another process holds the lease, or its state is unknown. */
export class LeaseUnavailableError extends Error {
  override readonly name = "LeaseUnavailableError";
}

/** A lock for work that only one process may do at a time. */
export interface Lease {
  /**
   * Runs `work` while this process alone holds `name`; a crash releases it. Call `assertHeld` right
   * before work that must not be done twice. It throws LeaseUnavailableError when the lease was
   * lost.
   *
   * @throws LeaseUnavailableError when another process holds it for longer than `waitMs`, or its
   * state is unknown.
   */
  hold<T>(
    name: string,
    waitMs: number,
    work: (assertHeld: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
}
