import type { Logger } from "pino";
import type { Hex, LocalAccount, PublicClient, TransactionReceipt } from "viem";
import { keccak256, parseTransaction } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import { traced } from "../tracing/spans.ts";
import { reportOutOfGas } from "./out-of-gas.ts";
import { createSentTransactions } from "./sent-transactions.ts";
import { currentFees, type Fees, replacementFees } from "./transaction-fees.ts";
import {
  type Call,
  OtherSenderError,
  type SignedTransaction,
  type TransactionStore,
} from "./transactions.ts";

export interface SenderOptions {
  readonly client: PublicClient;
  readonly account: LocalAccount;
  readonly store: TransactionStore;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Blocks until a transaction counts as mined; 1 means included. */
  readonly confirmations: number;
  /** Longest wait for one transaction, in milliseconds. */
  readonly minedTimeoutMs: number;
  /** Wait for a version of a transaction before one with higher fees is sent, in milliseconds. */
  readonly bumpAfterMs: number;
  /** Pause between two receipt checks, in milliseconds. */
  readonly pollMs: number;
  /** Called before every signature; throws when signing is no longer allowed. */
  readonly assertMaySign: () => Promise<void>;
  /** Aborts every wait. */
  readonly stop: AbortSignal;
}

/** Gas limit of one transaction (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n;
/**
 * Signs, sends and follows the transactions of one account. The caller holds the account's lease:
 * two senders would use one nonce twice.
 */
export function createSender(options: SenderOptions) {
  const { client, account, store, log, clock, stop, confirmations } = options;
  const sender = account.address;
  const sent = createSentTransactions({ client, sender, confirmations, log });

  /**
   * The operation's receipt, or null when no transaction was signed for it, or none can still be
   * mined.
   *
   * @throws OtherSenderError when another account signed it, and it is not mined.
   */
  async function resume(operationId: string): Promise<TransactionReceipt | null> {
    const known = await store.find(operationId);
    if (!known) return null;
    const receipt = await sent.confirmedReceipt(known.hashes);
    if (receipt) return settle(known, receipt);
    // A replacement with this key would be a second transaction.
    if (known.sender !== sender) throw new OtherSenderError(operationId);
    const receipts = await settleAll();
    return receipts.get(operationId) ?? (await findSettled(operationId));
  }

  /** Its block was reorganized away between two checks, or the node lags behind an earlier one. */
  async function findSettled(operationId: string): Promise<TransactionReceipt | null> {
    const known = await store.find(operationId);
    return known && follow(known);
  }

  /**
   * Follows every unmined transaction to its receipt, lowest nonce first, because they are mined in
   * that order.
   *
   * @returns The receipts by operation.
   */
  async function settleAll(): Promise<Map<string, TransactionReceipt>> {
    const receipts = new Map<string, TransactionReceipt>();
    const mined = await client.getTransactionCount({ address: sender });
    for (const transaction of await store.listUnsettled(sender, mined)) {
      const { operationId, traceparent } = transaction;
      const attributes = { "svc.operation.id": operationId };
      const options = { of: traceparent, attributes };
      const receipt = await traced("follow transaction", options, () => follow(transaction));
      if (receipt) receipts.set(transaction.operationId, receipt);
    }
    return receipts;
  }

  /**
   * Signs a transaction for `call` and follows it to its receipt. The sender must have no unsettled
   * transaction.
   *
   * @throws what the simulation throws, and GAS_BUDGET_EXHAUSTED when the account cannot pay,
   * before anything is stored.
   */
  async function submit(operationId: string, call: Call): Promise<TransactionReceipt> {
    const request = { account: sender, to: call.to, data: call.data };
    const most = call.gas ?? MAX_TRANSACTION_GAS;
    await reportOutOfGas(most, () => client.call({ ...request, gas: most }));
    const [gasEstimate, fees, pending, highest, balance] = await Promise.all([
      client.estimateGas({ ...request, prepare: false }),
      currentFees(client),
      client.getTransactionCount({ address: sender, blockTag: "pending" }),
      store.highestNonce(sender),
      client.getBalance({ address: sender }),
    ]);
    const generous = (gasEstimate * 12n) / 10n;
    const transaction = {
      to: call.to,
      data: call.data,
      gas: generous < most ? generous : most,
      // A lagging node counts too few transactions.
      nonce: Math.max(pending, (highest ?? -1) + 1),
    };
    // Once signed, it would wait for funds and block all later transactions.
    if (balance < transaction.gas * fees.maxFeePerGas) {
      throw new ApiError("GAS_BUDGET_EXHAUSTED", {
        message:
          "The service's account has too little ether for this transaction. Try again later.",
        cause: new Error(`${sender} holds ${balance} wei.`),
      });
    }
    const version = await sign({ ...transaction, ...fees });
    const signed: SignedTransaction = {
      operationId,
      sender,
      nonce: transaction.nonce,
      gasLimit: transaction.gas,
      ...fees,
      raw: version.raw,
      hashes: [version.hash],
    };
    await store.insert(signed, clock());
    const receipt = await follow(signed);
    if (receipt) return receipt;
    throw new ApiError("INTERNAL", {
      cause: new Error(`Another transaction took nonce ${signed.nonce} of ${sender}.`),
    });
  }

  /**
   * Sends a transaction until it is mined.
   *
   * @returns null when another transaction took its nonce for good; it is then deleted.
   * @throws ApiError CHAIN_UNAVAILABLE when it is not mined in time: it may still be.
   */
  async function follow(transaction: SignedTransaction): Promise<TransactionReceipt | null> {
    const deadline = performance.now() + options.minedTimeoutMs;
    let current = transaction;
    let nextMove = performance.now();
    for (let isFirst = true; ; isFirst = false) {
      const receipt = await sent.confirmedReceipt(current.hashes);
      if (receipt) return settle(current, receipt);

      if (performance.now() >= nextMove) {
        const moved = isFirst ? await send(current) : await unstick(current);
        if (moved === "nonce_lost") {
          await store.remove(current.operationId);
          log.error(
            { operationId: current.operationId, nonce: current.nonce },
            "another transaction took a nonce of the relayer's key: another program signs with it",
          );
          return null;
        }
        current = moved;
        nextMove = performance.now() + options.bumpAfterMs;
        // A node that mines at once has the receipt already.
        if (isFirst) continue;
      }
      if (performance.now() >= deadline) {
        throw new ApiError("CHAIN_UNAVAILABLE", {
          message: "The transaction was not mined in time.",
        });
      }
      await pause(options.pollMs, stop);
    }
  }

  async function settle(
    { operationId }: SignedTransaction,
    receipt: TransactionReceipt,
  ): Promise<TransactionReceipt> {
    const { status, blockNumber, gasUsed } = receipt;
    const outcome = status === "success" ? "mined" : "reverted";
    await store.settle(operationId, { status: outcome, blockNumber, gasUsed }, clock());
    return receipt;
  }

  /** Sends the version last signed; a rejected one is replaced once. */
  async function send(transaction: SignedTransaction): Promise<SignedTransaction | "nonce_lost"> {
    if ((await sent.broadcast(transaction)) === "accepted") return transaction;
    return unstick(transaction);
  }

  /** Handles a transaction that is not mined: rebroadcasts or replaces it. */
  async function unstick(
    transaction: SignedTransaction,
  ): Promise<SignedTransaction | "nonce_lost"> {
    if (await sent.isNonceUsed(transaction, "latest")) {
      const lost =
        (await sent.isNonceUsed(transaction, "finalized")) &&
        !(await sent.findReceipt(transaction.hashes));
      return lost ? "nonce_lost" : transaction;
    }
    const fees = await replacementFees(client, transaction);
    const next = fees ? await replace(transaction, fees) : transaction;
    if ((await sent.broadcast(next)) === "refused") {
      throw new ApiError("INTERNAL", {
        cause: new Error(`The node refuses transaction ${next.hashes.at(-1)} of ${sender}.`),
      });
    }
    return next;
  }

  async function replace(transaction: SignedTransaction, fees: Fees): Promise<SignedTransaction> {
    const { to, data, gas } = parseTransaction(transaction.raw);
    if (!to || !gas) throw new Error("The relayer signs only calls with a gas limit.");
    const { nonce, operationId } = transaction;
    const version = await sign({ to, data: data ?? "0x", gas, nonce, ...fees });
    // Stored before it is sent: the mined hash must be among the stored ones.
    await store.addVersion(operationId, { ...version, ...fees }, clock());
    log.info(
      { operationId, nonce, hash: version.hash },
      "transaction replaced by one that pays more",
    );
    return {
      ...transaction,
      ...fees,
      raw: version.raw,
      hashes: [...transaction.hashes, version.hash],
    };
  }

  async function sign(
    transaction: Call & Fees & { readonly gas: bigint; readonly nonce: number },
  ): Promise<{ raw: Hex; hash: Hex }> {
    const chainId = client.chain?.id;
    if (chainId === undefined) throw new Error("The relayer's client must name its chain.");
    await options.assertMaySign();
    const raw = await account.signTransaction({ type: "eip1559", chainId, ...transaction });
    return { raw, hash: keccak256(raw) };
  }

  return { resume, settleAll, submit, assertSucceeded: sent.assertSucceeded };
}

/** @throws ApiError CHAIN_UNAVAILABLE when `stop` aborts the pause. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      clearTimeout(timer);
      reject(new ApiError("CHAIN_UNAVAILABLE", { message: "The service is shutting down." }));
    };
    const timer = setTimeout(() => {
      stop.removeEventListener("abort", refuse);
      resolve();
    }, ms);
    if (stop.aborted) refuse();
    else stop.addEventListener("abort", refuse, { once: true });
  });
}
