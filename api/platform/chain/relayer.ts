import { AsyncResource } from "node:async_hooks";
import type { TransactionReceipt } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import { traced } from "../tracing/spans.ts";
import { toChainError } from "./reverts.ts";
import type { SenderOptions } from "./transaction-sender.ts";
import { createSender } from "./transaction-sender.ts";
import type { Call, Lease, Relayer } from "./transactions.ts";
import { LeaseUnavailableError, OtherSenderError } from "./transactions.ts";

/** All in milliseconds. */
export interface RelayerTiming {
  /** Time limit while another process sends with the same key. */
  readonly leaseWaitMs: number;
  readonly minedTimeoutMs: number;
  readonly bumpAfterMs: number;
  readonly pollMs: number;
}

export type RelayerOptions = Omit<SenderOptions, "assertMaySign" | "stop" | keyof RelayerTiming> & {
  readonly lease: Lease;
  readonly timing?: RelayerTiming;
};

/** One task that needs the lease. */
interface Job {
  readonly queuedAt: number;
  run(): Promise<void>;
  refuse(error: unknown): void;
}

const DEFAULT_TIMING: RelayerTiming = {
  leaseWaitMs: 10_000,
  minedTimeoutMs: 60_000,
  bumpAfterMs: 15_000,
  pollMs: 25,
};
/** With a full queue a process still releases the key after this many milliseconds. */
const MAX_HOLD_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Sends the transactions of one key, one after another. The lease ensures that only one process
 * signs with the key. It is taken when there is work and released afterwards.
 *
 * `run` throws OtherSenderError when another key signed the operation's transaction.
 */
export function createRelayer({
  lease,
  timing = DEFAULT_TIMING,
  ...options
}: RelayerOptions): Relayer {
  const leaseName = `relayer:${options.account.address.toLowerCase()}`;
  const stopping = new AbortController();
  let assertHeld: () => Promise<void> = neverHeld;
  const sender = createSender({
    ...options,
    ...timing,
    stop: stopping.signal,
    assertMaySign: async () => {
      if (stopping.signal.aborted) throw shuttingDown();
      await assertHeld();
    },
  });
  const queue: Job[] = [];
  let worker: Promise<void> | null = null;

  /** Runs `work` under the lease, after everything queued before. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (stopping.signal.aborted) return Promise.reject(shuttingDown());
    const result = new Promise<T>((resolve, reject) => {
      queue.push({
        queuedAt: performance.now(),
        run: () => work().then(resolve, reject),
        refuse: reject,
      });
    });
    worker ??= drain();
    return result.catch((error: unknown) => {
      throw toRelayerError(error);
    });
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      try {
        await lease.hold(leaseName, timing.leaseWaitMs, work);
      } catch (error) {
        // All of them have waited, and the lease's holder will not be faster for the next.
        for (const job of queue.splice(0)) job.refuse(error);
      }
    }
    // In the same step that found the queue empty: a later job starts a new worker.
    worker = null;
  }

  /** Works on the queue while the lease lasts. */
  async function work(assertLease: () => Promise<void>): Promise<void> {
    const giveBackAt = performance.now() + MAX_HOLD_MS;
    let isLost = false;
    assertHeld = () =>
      assertLease().catch((error: unknown) => {
        isLost = true;
        throw error;
      });
    try {
      do {
        const job = queue.shift();
        if (!job) return;
        // Behind a stuck transaction each caller would wait its full time in turn.
        if (performance.now() - job.queuedAt > timing.minedTimeoutMs) job.refuse(busy());
        else await job.run();
      } while (!isLost && performance.now() < giveBackAt);
    } finally {
      assertHeld = neverHeld;
    }
  }

  async function perform(
    operationId: string,
    build: () => Promise<Call>,
  ): Promise<TransactionReceipt> {
    let receipt = await sender.resume(operationId);
    if (!receipt) {
      await sender.settleAll();
      receipt = await sender.submit(operationId, await build());
    }
    await sender.assertSucceeded(receipt);
    return receipt;
  }

  return {
    run: (operationId, build) =>
      traced("transaction", { attributes: { "svc.operation.id": operationId } }, async (span) => {
        // The queue's worker was started by another request, whose trace it would continue.
        const receipt = await enqueue(AsyncResource.bind(() => perform(operationId, build)));
        span?.set({
          "svc.transaction.hash": receipt.transactionHash,
          "svc.transaction.block": Number(receipt.blockNumber),
        });
        return receipt;
      }),

    recover: () =>
      enqueue(async () => {
        await sender.settleAll();
      }),

    async close() {
      stopping.abort();
      for (const job of queue.splice(0)) job.refuse(shuttingDown());
      await worker;
    },
  };
}

function toRelayerError(error: unknown): unknown {
  if (error instanceof OtherSenderError) return error;
  return error instanceof LeaseUnavailableError ? busy(error) : toChainError(error);
}

/** The answer while an operation can be neither sent nor continued. */
export function busy(cause?: unknown): ApiError {
  return new ApiError("CHAIN_UNAVAILABLE", {
    message: "Transactions cannot be sent now. Try again later.",
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

function shuttingDown(): ApiError {
  return new ApiError("CHAIN_UNAVAILABLE", { message: "The service is shutting down." });
}

async function neverHeld(): Promise<never> {
  throw new LeaseUnavailableError("There is no lease outside of its turn.");
}
