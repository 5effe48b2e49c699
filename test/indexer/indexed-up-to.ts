import type pg from "pg";
import { expect } from "vitest";
import { createChainReads } from "../../api/soul/indexed.store.ts";

/** The chain, as far as it is mined here. */
interface Mining {
  mine(options: { readonly blocks: number }): Promise<void>;
}

/**
 * Mines blocks until the index has `block`. A ready indexer has every final block; the later ones
 * come with the first block that is mined after it has subscribed, which can be after it is ready.
 */
export async function indexedUpTo(
  client: Mining,
  pool: pg.Pool,
  block: bigint,
  timeoutMs: number,
): Promise<void> {
  const reads = createChainReads(pool);
  await expect
    .poll(
      async () => {
        await client.mine({ blocks: 1 });
        return reads.waitForBlock(block, 1_000);
      },
      { timeout: timeoutMs, interval: 0 },
    )
    .toBeGreaterThanOrEqual(block);
}
