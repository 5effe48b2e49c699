import { readsBesideDatabase } from "../kernel/database-alone.ts";
import { ApiError } from "../kernel/errors.ts";
import type { IndexedPoint } from "./index-reads.ts";

/** How far the index is behind the chain, as last sampled. */
export interface IndexStanding {
  /** Newest head that was read within the maximum age; null when the node did not answer for so long. */
  readonly chainBlock: bigint | null;
  /** Null before the first successful read of the index. */
  readonly indexedBlock: bigint | null;
  /** Null while either of the two is unknown. */
  readonly lagBlocks: number | null;
  /** Whether the index is older than the maximum age, or its age is unknown. */
  readonly behind: boolean;
  /** False while a part of it is known to be wrong, and before its first successful read. */
  readonly isComplete: boolean;
}

/** Tells whether facts of the index are recent enough to decide by. */
export interface IndexAge {
  /**
   * Whether facts as of this block include all that was on chain one maximum age ago. False when no head was read for that
   * long, because the age is then unknown.
   */
  isFresh(at: Pick<IndexedPoint, "block">): boolean;
  /** The error for an answer that needs fresher facts. */
  behind(at: Pick<IndexedPoint, "block">, cause?: unknown): ApiError;
  standing(): IndexStanding;
  /**
   * The chain's head. Read again when the sampled one is before `block`, together with concurrent callers. Null when the node does
   * not answer.
   */
  headFor(block: bigint): Promise<bigint | null>;
}

export interface IndexAgeOptions {
  /** The chain's latest block. Must be bounded in time. */
  readonly chainBlock: () => Promise<bigint>;
  /** The last block whose events can be read, and whether none before is known to be wrong. Must be bounded in time. */
  readonly progress: () => Promise<{ readonly block: bigint; readonly isComplete: boolean }>;
  /** Longest time in milliseconds that facts may be behind the chain's head. */
  readonly maxAgeMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** An index age that samples by itself. */
export interface IndexAgeSampler extends IndexAge {
  /** Reads head and index once. Never rejects. */
  sample(): Promise<void>;
  /** Samples until `stop`. */
  start(): void;
  stop(): void;
}

/** Cheap: one call of the node a second for the whole process. */
const SAMPLE_MS = 1_000;
/** While the index is behind or unknown: what waits for it is answered soon after it has caught up. */
const SAMPLE_BEHIND_MS = 200;

interface HeadSample {
  readonly block: bigint;
  /** When the node was asked: the head is at least so old. */
  readonly askedAt: number;
}

/**
 * Measures the age of the index in heads of the chain: facts are fresh when they include the head of `maxAgeMs` ago. While no
 * block is mined, the index is not behind. Block times are not used, because a chain's clock may differ from this machine's.
 *
 * A request costs no call of the node: one sampler serves all.
 */
export function createIndexAge(options: IndexAgeOptions): IndexAgeSampler {
  const { maxAgeMs, now } = options;
  /** Oldest first; none is older than the maximum age. */
  let heads: readonly HeadSample[] = [];
  let indexed: { readonly block: bigint; readonly isComplete: boolean } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function recentHeads(): readonly HeadSample[] {
    const since = now() - maxAgeMs;
    heads = heads.filter(({ askedAt }) => askedAt >= since);
    return heads;
  }

  async function readHead(): Promise<bigint | null> {
    const askedAt = now();
    try {
      const block = await options.chainBlock();
      heads = [...recentHeads(), { block, askedAt }];
      return block;
    } catch {
      return null;
    }
  }

  let reading: Promise<bigint | null> | undefined;
  function sharedHead(): Promise<bigint | null> {
    reading ??= readHead().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function sample(): Promise<void> {
    // The head is read before the index: in reverse the index would always be behind a moving head.
    await sharedHead();
    try {
      indexed = await options.progress();
    } catch {
      // The last known head stays, and its age grows.
    }
  }

  function isFresh(at: Pick<IndexedPoint, "block">): boolean {
    const [oldest] = recentHeads();
    const fresh = oldest !== undefined && at.block >= oldest.block;
    // An answer then says so, or is made from the chain.
    if (!fresh) readsBesideDatabase();
    return fresh;
  }

  function standing(): IndexStanding {
    const chainBlock = recentHeads().at(-1)?.block ?? null;
    const indexedBlock = indexed?.block ?? null;
    const lag =
      chainBlock === null || indexedBlock === null ? null : Number(chainBlock - indexedBlock);
    return {
      chainBlock,
      indexedBlock,
      lagBlocks: lag === null ? null : Math.max(0, lag),
      behind: indexedBlock === null || !isFresh({ block: indexedBlock }),
      isComplete: indexed?.isComplete ?? false,
    };
  }

  async function run(): Promise<void> {
    await sample();
    if (isStopped) return;
    const pause = standing().behind ? SAMPLE_BEHIND_MS : SAMPLE_MS;
    timer = setTimeout(run, Math.min(pause, maxAgeMs / 4));
    timer.unref();
  }

  return {
    sample,
    isFresh,
    standing,

    behind(at, cause) {
      return new ApiError("INDEX_BEHIND", {
        details: { indexedBlock: at.block, chainBlock: standing().chainBlock },
        cause,
      });
    },

    async headFor(block) {
      const known = recentHeads().at(-1)?.block;
      return known !== undefined && known >= block ? known : sharedHead();
    },

    start: () => void run(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
