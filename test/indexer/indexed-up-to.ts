import type pg from "pg";
import { expect } from "vitest";
import { createChainReads } from "../../api/soul/indexed.store.ts";

/** The chain, as far as it is mined here. */
interface Mining {
  mine(options: { readonly blocks: number }): Promise<void>;
}

/** Far more than an index needs on a busy machine, and less than a test may take. */
const LONGEST_WAIT_MS = 50_000;

/**
 * Waits until the index has `block`, and mines further blocks when it does not come by itself. A ready
 * indexer has every final block; the later ones come with the first block that is mined after it has
 * subscribed, which can be after it is ready.
 */
export async function indexedUpTo(
  client: Mining,
  pool: pg.Pool,
  block: bigint,
  timeoutMs = LONGEST_WAIT_MS,
): Promise<void> {
  const reads = createChainReads(pool);
  await expect
    .poll(
      async () => {
        const reached = await reads.waitForBlock(block, 1_000);
        if (reached < block) await client.mine({ blocks: 1 });
        return reached;
      },
      { timeout: timeoutMs, interval: 0 },
    )
    .toBeGreaterThanOrEqual(block);
}
