import type { RunningPlatform } from "../platform/build.ts";
import { chainAnswer } from "../platform/chain/bounded.ts";
import { createChainClient } from "../platform/chain/clients.ts";
import { createAgentOwners } from "./agent-owners.ts";
import { createCurrentReads } from "./current-reads.ts";
import { createIndexAge } from "./index-age.ts";
import { createChainReads } from "./indexed.store.ts";
import { createLiveState } from "./live-state.chain.ts";
import { createOwnershipReads } from "./ownership.chain.ts";
import { createSoulReader } from "./text/soul-reader.ts";

const LIVE_READ_TIMEOUT_MS = 5_000;
/** Longest wait for the chain's head, which is read every second. */
const HEAD_TIMEOUT_MS = 2_000;

export type SoulReads = ReturnType<typeof buildSoulReads>;

/** What is known of agents: from the index, with its age, and from the chain. */
export function buildSoulReads(
  platform: Pick<RunningPlatform, "config" | "deployment" | "pool" | "node" | "chain" | "log">,
) {
  const { config, deployment, pool, node, chain, log } = platform;
  const { identityRegistry, soulView } = deployment.contracts;
  const timeoutMs = LIVE_READ_TIMEOUT_MS;
  const head = createChainClient({ ...node, timeoutMs: HEAD_TIMEOUT_MS });
  const index = createChainReads(pool);
  const age = createIndexAge({
    chainBlock: () => chainAnswer(HEAD_TIMEOUT_MS, () => head.getBlockNumber({ cacheTime: 0 })),
    indexedBlock: index.indexedBlock,
    maxAgeMs: config.maxIndexAgeMs,
    now: () => performance.now(),
  });
  const live = createLiveState({ client: chain, soulView, identityRegistry, timeoutMs });
  return {
    index,
    age,
    live,
    /** The index, where ownership is never older than its maximum age. */
    current: createCurrentReads({
      reads: index,
      age,
      ownership: createOwnershipReads({ client: chain, soulView, timeoutMs }),
    }),
    owners: createAgentOwners({
      passportOf: async (tokenId) => {
        const { at, value } = await index.profileByTokenId(tokenId);
        // An index that is behind cannot say that there is no such agent.
        if (value === null && !age.isFresh(at)) throw age.behind(at);
        return value?.soul.passportId ?? null;
      },
      live,
    }),
    /** Reads the texts that souls are made of. */
    souls: createSoulReader(config.parsing, log),
  };
}
