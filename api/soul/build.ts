import type { RunningPlatform } from "../platform/build.ts";
import { chainAnswer } from "../platform/chain/bounded.ts";
import { createNodesClient } from "../platform/chain/clients.ts";
import { createChainSouls } from "./chain-soul.chain.ts";
import { createAskedPassports } from "./comparison/asked.store.ts";
import { createCurrentReads } from "./current-reads.ts";
import { createIndexAge } from "./index-age.ts";
import { createChainReads } from "./indexed.store.ts";
import { createSoulReader } from "./text/soul-reader.ts";

/** Longest wait for the chain's head, which is read every second. */
const HEAD_TIMEOUT_MS = 2_000;

export type SoulReads = ReturnType<typeof buildSoulReads>;

/** What is known of agents: from the index, with its age, and from the chain. */
export function buildSoulReads(
  platform: Pick<
    RunningPlatform,
    "config" | "deployment" | "db" | "pool" | "node" | "chain" | "log"
  >,
) {
  const { config, deployment, db, pool, node, chain, log } = platform;
  const head = createNodesClient({ ...node, timeoutMs: HEAD_TIMEOUT_MS });
  const index = createChainReads(pool);
  const age = createIndexAge({
    chainBlock: () => chainAnswer(HEAD_TIMEOUT_MS, () => head.getBlockNumber({ cacheTime: 0 })),
    progress: index.progress,
    maxAgeMs: config.maxIndexAgeMs,
    now: () => performance.now(),
  });
  const souls = createChainSouls({ client: chain, soulView: deployment.contracts.soulView });
  const asked = createAskedPassports(db);
  return {
    index,
    age,
    /** Passports that were answered from the index. */
    asked,
    /** Souls and passports as the chain has them. */
    souls,
    /** The index, where ownership is never older than its maximum age. */
    current: createCurrentReads({ reads: index, age, passports: souls, asked }),
    /** Reads the texts that souls are made of. */
    soulReader: createSoulReader(config.parsing, log),
  };
}
