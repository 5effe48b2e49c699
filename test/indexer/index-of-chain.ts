import pg from "pg";
import type { Address } from "viem";
import { expect } from "vitest";
import { createProfileService } from "../../api/features/profile/profile.ts";
import { createLinks } from "../../api/kernel/links.ts";
import { createChainReads } from "../../api/soul/indexed.store.ts";
import { startIndexedChain } from "../fixtures/indexed-chain.ts";
import { startIndexer } from "../fixtures/indexer.ts";
import { createDatabase } from "../fixtures/postgres.ts";
import { indexedUpTo } from "./indexed-up-to.ts";

/** The columns of a row about its transaction. */
export type Mined = {
  readonly blockNumber: bigint;
  readonly timestamp: bigint;
  transactionHash: string;
};

/** Addresses as the index stores them. */
export const lower = (address: Address) => address.toLowerCase();

/** The columns that every row has of its transaction. */
export const of = ({ timestamp, blockNumber, transactionHash }: Mined) => ({
  timestamp,
  block: blockNumber,
  tx: transactionHash,
  logIndex: expect.any(Number),
});

export type ChainIndex = Awaited<ReturnType<typeof startChainIndex>>;

/** A separate chain with the whole protocol on it, its index, and the reads over that. */
export async function startChainIndex() {
  const chain = await startIndexedChain();
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  const reads = createChainReads(pool);
  const profiles = createProfileService({
    reads,
    unclaimed: async () => null,
    chainId: 31_337,
    links: createLinks("http://127.0.0.1:8787"),
    didRecords: { of: async () => null },
  });
  const indexer = await startIndexer({ databaseUrl: database.url, ...chain });

  return {
    chain,
    database,
    pool,
    reads,
    profiles,
    /** Waits until the index has passed the block of `mined`. */
    async indexed({ blockNumber }: Mined): Promise<void> {
      await indexedUpTo(chain.client, pool, blockNumber);
    },
    async stop(): Promise<void> {
      await indexer.stop();
      await pool.end();
      await database.drop();
      await chain.stop();
    },
  };
}
