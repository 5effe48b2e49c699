import { setTimeout as delay } from "node:timers/promises";
import { db } from "ponder:api";
import { sql } from "ponder";
import { createPublicClient } from "viem";
import { readIndexedDeployment } from "./deployment.ts";
import { connectNodes, nodeUrls } from "./nodes.ts";
import { createWatchdog, type IndexSample } from "./stall-detector.ts";

const DEFAULT_LIMIT_MS = 30_000;
const LONGEST_PAUSE_MS = 5_000;
const SAMPLES_PER_LIMIT = 6;

/**
 * Position of the block number in a Ponder checkpoint: after ten digits of time and sixteen of the
 * chain id.
 */
const BLOCK_NUMBER = { first: 27, digits: 16 };

/**
 * Ends this process with an error when the chain advances and the index does not, for
 * `INDEXER_STALL_MS` (default 30,000). A provider can drop the block subscription and leave the
 * socket open; Ponder then waits for ever.
 */
export function watchIndex(environment: NodeJS.ProcessEnv): void {
  const limitMs = readLimit(environment.INDEXER_STALL_MS);
  const { chainId } = readIndexedDeployment(environment.SVC_DEPLOYMENT ?? "");
  const nodes = connectNodes(nodeUrls(environment.RPC_URL ?? ""), chainId);
  void nodes.start();
  const client = createPublicClient({ transport: nodes.transport });
  const watchdog = createWatchdog({ limitMs, now: () => performance.now() });

  async function sample(): Promise<IndexSample | undefined> {
    try {
      // The head is read last, so that an index that is up to date never appears behind.
      const { rows } = await db.execute<{ indexed: string; isReady: boolean }>(sql`
        select substr(latest_checkpoint, ${BLOCK_NUMBER.first}, ${BLOCK_NUMBER.digits}) as "indexed",
          (select value ->> 'is_ready' = '1' from _ponder_meta where key = 'app') as "isReady"
        from _ponder_checkpoint`);
      const [row] = rows;
      if (!row) return undefined;
      const head = await client.getBlockNumber({ cacheTime: 0 });
      return { head, indexed: BigInt(row.indexed), isReady: row.isReady };
    } catch {
      // Node or database do not answer. Ponder itself retries, reports and exits in that case.
      return undefined;
    }
  }

  const watch = async () => {
    for (;;) {
      await delay(Math.min(limitMs / SAMPLES_PER_LIMIT, LONGEST_PAUSE_MS), undefined, {
        ref: false,
      });
      watchdog.observe(await sample());
    }
  };
  // The rejection is left unhandled on purpose: Ponder logs it, releases its schema and exits with
  // status 75.
  void watch();
}

function readLimit(value: string | undefined): number {
  if (!value) return DEFAULT_LIMIT_MS;
  const limitMs = Number(value);
  if (!Number.isSafeInteger(limitMs) || limitMs < 1) {
    throw new Error(
      `INDEXER_STALL_MS is "${value}". Set it to a number of milliseconds, 1 or more, or remove it for ${DEFAULT_LIMIT_MS}.`,
    );
  }
  return limitMs;
}
