import type { Address, Hex, TransactionReceipt } from "viem";

/** What a transaction does: everything else about it is the relayer's business. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /**
   * The most gas that it may use: what was set aside for it, where contracts of an owner's choice have a say in it. Without it,
   * what one transaction may use.
   */
  readonly gas?: bigint;
}

export interface Relayer {
  /**
   * Runs operation `operationId` to its receipt exactly once, however often it is asked to, and resumes what a crash left.
   * `build` is called only when nothing was signed for the operation yet; after a refusal it is called again the next time.
   *
   * @throws ApiError of the contract's refusal in simulation, RevertedError of it on chain; CHAIN_UNAVAILABLE when the chain
   * does not answer or does not mine in time, or too much is queued: the operation may still be mined, and the same call
   * resumes it.
   */
  run(operationId: string, build: () => Promise<Call>): Promise<TransactionReceipt>;
  /**
   * Sends again and waits for everything that a previous process left unmined. Called at boot and periodically.
   *
   * @throws ApiError CHAIN_UNAVAILABLE as `run` does.
   */
  recover(): Promise<void>;
  /** Refuses what is queued, stops waiting for what is sent (a later `recover` finds it), and gives the lease back. */
  close(): Promise<void>;
}

/** A transaction that was signed. It is stored before it is sent, so that a restart sends the same bytes. */
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
}

export interface TransactionStore {
  find(operationId: string): Promise<SignedTransaction | null>;
  /**
   * The sender's transactions that are not known to be mined, and those from `nonce` on that were mined in a block which the
   * chain gave up. Lowest nonce first.
   */
  listUnsettled(sender: Address, nonce: number): Promise<SignedTransaction[]>;
  /** The highest nonce ever signed for, or null. */
  highestNonce(sender: Address): Promise<number | null>;
  /** @throws when the operation or the sender's nonce has a transaction already. */
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

/** Somebody else holds the lease, or whether nobody does could not be learned. */
export class LeaseUnavailableError extends Error {
  override readonly name = "LeaseUnavailableError";
}

/** What only one process at a time may do. */
export interface Lease {
  /**
   * Runs `work` while nobody else holds `name`; a crash of the holder gives it back. `assertHeld` asks whether that is still
   * so: call it right before what must not be done twice. It throws LeaseUnavailableError when the lease was lost.
   *
   * @throws LeaseUnavailableError when somebody else holds it for longer than `waitMs`, or that could not be learned.
   */
  hold<T>(
    name: string,
    waitMs: number,
    work: (assertHeld: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
}
