import type { Logger } from "pino";
import type { Address, Hex, PublicClient, TransactionReceipt } from "viem";
import {
  BaseError,
  NonceTooLowError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import { type ApiError, RevertedError } from "../../kernel/errors.ts";
import { orNull } from "./absent.ts";
import { isUnavailable, revertData, revertError } from "./reverts.ts";
import type { SignedTransaction } from "./transactions.ts";

export interface SentTransactionsOptions {
  readonly client: PublicClient;
  readonly sender: Address;
  /** Blocks until a transaction counts as mined; 1 means included. */
  readonly confirmations: number;
  readonly log: Logger;
}

/** Gives signed transactions to the node, and reads what became of them. */
export function createSentTransactions({
  client,
  sender,
  confirmations,
  log,
}: SentTransactionsOptions) {
  async function isNonceUsed(
    { nonce }: SignedTransaction,
    blockTag: "latest" | "finalized",
  ): Promise<boolean> {
    return (await client.getTransactionCount({ address: sender, blockTag })) > nonce;
  }

  /**
   * Sends the bytes to the node. Its answer is not conclusive: nodes word "already known" in many
   * ways, and Hardhat's reports the revert of a transaction that it mined.
   *
   * @returns `nonce_used` when the node says so, even where its answers to reads are of an old block.
   */
  async function broadcast(
    transaction: SignedTransaction,
  ): Promise<"accepted" | "nonce_used" | "refused"> {
    try {
      await client.sendRawTransaction({ serializedTransaction: transaction.raw });
      return "accepted";
    } catch (error) {
      if (!(error instanceof BaseError) || isUnavailable(error)) throw error;
      if (await isKnown(transaction)) return "accepted";
      if (NonceTooLowError.nodeMessage.test(error.details.toLowerCase())) return "nonce_used";
      const { operationId, nonce } = transaction;
      log.warn({ err: error, operationId, nonce }, "the node refused a transaction");
      return "refused";
    }
  }

  /** Whether the node has any version of the transaction, mined or not. */
  async function isKnown({ hashes }: SignedTransaction): Promise<boolean> {
    const found = await Promise.all(
      hashes.map((hash) => orNull(client.getTransaction({ hash }), TransactionNotFoundError)),
    );
    return found.some((transaction) => transaction !== null);
  }

  async function findReceipt(hashes: readonly Hex[]): Promise<TransactionReceipt | null> {
    const found = await Promise.all(
      hashes.map((hash) =>
        orNull(client.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError),
      ),
    );
    return found.find((receipt) => receipt !== null) ?? null;
  }

  async function confirmedReceipt(hashes: readonly Hex[]): Promise<TransactionReceipt | null> {
    const receipt = await findReceipt(hashes);
    if (!receipt || confirmations <= 1) return receipt;
    const head = await client.getBlockNumber({ cacheTime: 0 });
    return head - receipt.blockNumber + 1n >= BigInt(confirmations) ? receipt : null;
  }

  /** @throws RevertedError with the contract's error, when the transaction reverted. */
  async function assertSucceeded(receipt: TransactionReceipt): Promise<void> {
    if (receipt.status === "success") return;
    const { to, input, gas } = await client.getTransaction({ hash: receipt.transactionHash });
    // After the block first: the cause of the revert usually remains. Otherwise it was there before
    // the block.
    for (const blockNumber of [receipt.blockNumber, receipt.blockNumber - 1n]) {
      try {
        await client.call({ account: sender, to, data: input, gas, blockNumber });
      } catch (error) {
        const data = revertData(error);
        if (data === null) throw error;
        throw reverted(revertError(data, error));
      }
    }
    throw new RevertedError("INTERNAL", {
      cause: new Error(`Transaction ${receipt.transactionHash} reverted, its replay does not.`),
    });
  }

  return { isNonceUsed, broadcast, findReceipt, confirmedReceipt, assertSucceeded };
}

function reverted({ type, message, details, cause }: ApiError): RevertedError {
  return new RevertedError(type, { message, ...(details && { details }), cause });
}
