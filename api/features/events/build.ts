import type { Platform } from "../../platform/build.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import type { ChronicleService } from "../chronicles/index.ts";
import { createEventReads } from "./events.store.ts";
import { createEventService } from "./events.ts";
import { createIndexFollower } from "./follower.ts";
import { createStreamCount, STREAM_LIMITS } from "./streams.ts";
import { createTimeline } from "./timeline.ts";

/** Between two looks at the index while clients follow it. */
const POLL_MS = 500;
/** Shorter than proxies wait for the next byte. */
const IDLE_MS = 15_000;
/** Clients come back, and may find another process. */
const STREAM_MS = 30 * 60 * 1000;

type Options = Pick<Platform, "config" | "deployment" | "pool" | "reads" | "log"> & {
  readonly chronicles: Pick<ChronicleService, "list">;
};

/** Everything that happened, in one list. */
export function buildEvents({ config, deployment, pool, reads, log, chronicles }: Options) {
  const { soulRegistry } = deployment.contracts;
  const { confirmations } = config;
  const listed = createEventReads(reads.pool, soulRegistry);
  const followed = createEventReads(pool, soulRegistry);
  return {
    eventLists: createEventService({ reads: listed, confirmations, lifeOf: listed.lifeOf }),
    eventFollower: createIndexFollower({
      reads: followed,
      progress: followed.progress,
      confirmations,
      pollMs: POLL_MS,
      idleMs: IDLE_MS,
      failed: (error) => log.warn({ err: error }, "the index could not be followed"),
    }),
    eventStreams: createStreamCount(STREAM_LIMITS),
    streamMs: STREAM_MS,
    timelines: createTimeline({
      reads: listed,
      lifeOf: (tokenId) => listed.lifeOf(byTokenId(tokenId)),
      epochs: listed.epochs,
      chronicles,
    }),
  };
}
