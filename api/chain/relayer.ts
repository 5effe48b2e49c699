import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import {
  type Address,
  type Hash,
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseTransaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TransactionSerializedEIP1559,
} from "viem";
import type { Lease } from "../db/lease.ts";
import { ApiError, RevertedError } from "../errors.ts";
import { chainError, withChainErrors } from "./reverts.ts";

export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** A transaction as it was signed: stored before it is sent, so that a restart sends the same bytes. */
export interface RelayedTransaction {
  /** The operation it carries out; an operation has one transaction. */
  readonly operationId: string;
  readonly sender: Address;
  readonly nonce: bigint;
  /** The newest signed version. */
  readonly raw: TransactionSerializedEIP1559;
  /** Hashes of every version, newest last: any of them may be the one that is mined. */
  readonly hashes: readonly Hash[];
  readonly status: "open" | "mined" | "reverted";
  readonly blockNumber: bigint | null;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint | null;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface RelayerStore {
  find(operationId: string): Promise<RelayedTransaction | null>;
  /** The sender's transactions that are not known to be mined, in nonce order. */
  listOpen(sender: Address): Promise<RelayedTransaction[]>;
  /** Rejects when the operation, or the sender's nonce, has a transaction already. */
  insert(transaction: RelayedTransaction, at: Date): Promise<void>;
  update(transaction: RelayedTransaction, at: Date): Promise<void>;
}

export interface Relayer {
  /**
   * Carries out an operation exactly once, and resolves with its receipt, however often and in however many processes it is
   * asked for.
   *
   * @param build Makes the call; not asked when the operation's transaction was signed before.
   * @throws ApiError The contract's refusal in simulation (nothing is stored then); CHAIN_UNAVAILABLE.
   * @throws RevertedError when the transaction was mined and reverted.
   */
  run(operationId: string, build: () => Promise<Call>): Promise<TransactionReceipt>;
  /** Sends again, and waits for, everything that a stopped process left open. */
  recover(): Promise<void>;
  /** Resolves when what is running has ended; nothing new is begun. */
  close(): Promise<void>;
}

export interface RelayerOptions {
  readonly client: PublicClient;
  readonly account: LocalAccount;
  readonly store: RelayerStore;
  readonly lease: Lease;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Blocks until a transaction counts as mined; 1 means included. */
  readonly confirmations: number;
  readonly timing?: RelayerTiming;
}

/** All in milliseconds. */
export interface RelayerTiming {
  readonly poll: number;
  /** A transaction that is not mined by then is sent again with higher fees. */
  readonly bumpAfter: number;
  /** Longest wait for a transaction; it stays open, and is carried on later. */
  readonly giveUpAfter: number;
  /** Longest wait for the lease on the sender's key. */
  readonly leaseWait: number;
}

const TIMING: RelayerTiming = {
  poll: 50,
  bumpAfter: 30_000,
  giveUpAfter: 120_000,
  leaseWait: 10_000,
};

/** One transaction may use at most this much gas (EIP-7825). */
const MAX_GAS = 16_777_216n;

/** Transactions of one sender, one at a time, in the order in which they were asked for. */
export function createRelayer(options: RelayerOptions): Relayer {
  const { client, account, store, lease, log, clock, confirmations, timing = TIMING } = options;
  const sender = account.address;
  const leaseName = `relayer:${sender.toLowerCase()}`;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Turns within this process wait here, so that they do not each hold a database connection while they wait. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(() => {
      if (closed) throw new ApiError("CHAIN_UNAVAILABLE", { message: "The service is stopping." });
      return work();
    });
    last = turn.catch(() => {});
    return turn;
  }

  async function run(operationId: string, build: () => Promise<Call>) {
    return inTurn(() =>
      lease.hold(leaseName, timing.leaseWait, async (assertHeld) => {
        const known = await store.find(operationId);
        if (known) return settle(known, assertHeld);

        await settleOpen(assertHeld);
        const signed = await sign(operationId, await build());
        assertHeld();
        await store.insert(signed, clock());
        return settle(signed, assertHeld);
      }),
    );
  }

  function recover(): Promise<void> {
    return inTurn(() => lease.hold(leaseName, timing.leaseWait, settleOpen));
  }

  /** A gap in the nonces would hold up everything after it: what is open is settled before anything new. */
  async function settleOpen(assertHeld: () => void): Promise<void> {
    for (const open of await store.listOpen(sender)) {
      await settle(open, assertHeld).catch((error: unknown) => {
        // A revert settles it too: whoever asked for the operation will be told.
        if (!(error instanceof RevertedError)) throw error;
      });
    }
  }

  async function sign(operationId: string, call: Call): Promise<RelayedTransaction> {
    return withChainErrors(async () => {
      // Estimating runs the call: a refusal is thrown here, before anything is stored.
      const needed = await client.estimateGas({ account: sender, ...call });
      const [nonce, fees] = await Promise.all([
        client.getTransactionCount({ address: sender, blockTag: "pending" }),
        client.estimateFeesPerGas(),
      ]);
      const withReserve = (needed * 12n) / 10n;
      const gasLimit = withReserve < MAX_GAS ? withReserve : MAX_GAS;
      return signVersion({
        operationId,
        sender,
        nonce: BigInt(nonce),
        call,
        gasLimit,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        earlier: [],
      });
    });
  }

  async function signVersion({
    call,
    earlier,
    ...terms
  }: Pick<
    RelayedTransaction,
    "operationId" | "sender" | "nonce" | "gasLimit" | "maxFeePerGas" | "maxPriorityFeePerGas"
  > & { readonly call: Call; readonly earlier: readonly Hash[] }): Promise<RelayedTransaction> {
    const raw = (await account.signTransaction({
      type: "eip1559",
      chainId: client.chain?.id ?? (await client.getChainId()),
      nonce: Number(terms.nonce),
      to: call.to,
      data: call.data,
      gas: terms.gasLimit,
      maxFeePerGas: terms.maxFeePerGas,
      maxPriorityFeePerGas: terms.maxPriorityFeePerGas,
    })) as TransactionSerializedEIP1559;
    return {
      ...terms,
      raw,
      hashes: [...earlier, keccak256(raw)],
      status: "open",
      blockNumber: null,
      gasUsed: null,
    };
  }

  /** Waits until one version of a transaction is mined, sending it again until then. */
  async function settle(
    transaction: RelayedTransaction,
    assertHeld: () => void,
  ): Promise<TransactionReceipt> {
    let current = transaction;
    const begun = performance.now();
    let sentAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const receipt = await findReceipt(current.hashes);
      if (receipt) return conclude(current, receipt);

      const now = performance.now();
      if (now - begun > timing.giveUpAfter || closed)
        throw new ApiError("CHAIN_UNAVAILABLE", {
          message: "The transaction was sent and is not mined yet.",
          details: { transactionHash: current.hashes.at(-1) },
          retryAfter: 5,
        });
      if (now - sentAt > timing.bumpAfter) {
        if (sentAt > begun) current = await raiseFees(current, assertHeld);
        await broadcast(current);
        sentAt = performance.now();
        continue;
      }
      await delay(timing.poll);
    }
  }

  async function conclude(
    transaction: RelayedTransaction,
    receipt: TransactionReceipt,
  ): Promise<TransactionReceipt> {
    const status = receipt.status === "success" ? "mined" : "reverted";
    if (transaction.status === "open" || transaction.blockNumber !== receipt.blockNumber) {
      const { blockNumber, gasUsed } = receipt;
      await store.update({ ...transaction, status, blockNumber, gasUsed }, clock());
    }
    if (status === "mined") return receipt;
    throw await whyReverted(transaction, receipt);
  }

  async function findReceipt(hashes: readonly Hash[]): Promise<TransactionReceipt | null> {
    return withChainErrors(async () => {
      for (const hash of hashes.toReversed()) {
        const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
          if (error instanceof TransactionReceiptNotFoundError) return null;
          throw error;
        });
        if (receipt && (await isDeepEnough(receipt))) return receipt;
      }
      return null;
    });
  }

  async function isDeepEnough({ blockNumber }: TransactionReceipt): Promise<boolean> {
    if (confirmations <= 1) return true;
    return (await client.getBlockNumber()) - blockNumber + 1n >= BigInt(confirmations);
  }

  /** A refusal to take it is not a failure: it may be known already, or mined; the receipts will tell. */
  async function broadcast({ raw, operationId, hashes }: RelayedTransaction): Promise<void> {
    await client.sendRawTransaction({ serializedTransaction: raw }).catch((error: unknown) => {
      log.warn(
        { err: error, operationId, hash: hashes.at(-1) },
        "the node did not take a transaction; it will be sent again",
      );
    });
  }

  /** Nodes replace a transaction only for fees at least 10 % higher. */
  async function raiseFees(
    transaction: RelayedTransaction,
    assertHeld: () => void,
  ): Promise<RelayedTransaction> {
    const { to, data } = parseTransaction(transaction.raw);
    if (!to) throw new Error(`Transaction ${transaction.operationId} has no recipient.`);
    const market = await withChainErrors(() => client.estimateFeesPerGas());
    const { operationId, sender, nonce, gasLimit } = transaction;
    const raised = await signVersion({
      operationId,
      sender,
      nonce,
      gasLimit,
      call: { to, data: data ?? "0x" },
      maxFeePerGas: max(market.maxFeePerGas, raise(transaction.maxFeePerGas)),
      maxPriorityFeePerGas: max(
        market.maxPriorityFeePerGas,
        raise(transaction.maxPriorityFeePerGas),
      ),
      earlier: transaction.hashes,
    });
    assertHeld();
    await store.update(raised, clock());
    log.warn({ operationId, nonce }, "a transaction was not mined in time; its fees were raised");
    return raised;
  }

  /** The refusal of a reverted transaction, found by repeating the call on the state it left. */
  async function whyReverted(
    { raw, operationId }: RelayedTransaction,
    { blockNumber, transactionHash }: TransactionReceipt,
  ): Promise<RevertedError> {
    const { to, data } = parseTransaction(raw);
    try {
      await client.call({ account: sender, to: to ?? null, data: data ?? "0x", blockNumber });
    } catch (error) {
      const why = chainError(error);
      // The node did not answer: the reason can still be found when the operation is asked for again.
      if (why.type === "CHAIN_UNAVAILABLE") throw why;
      const { type, message, details, cause } = why;
      return new RevertedError(type, { message, ...(details && { details }), cause });
    }
    return new RevertedError("INTERNAL", {
      cause: new Error(`Operation ${operationId} reverted in ${transactionHash}.`),
    });
  }

  return {
    run,
    recover,
    async close() {
      closed = true;
      await last;
    },
  };
}

function raise(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
