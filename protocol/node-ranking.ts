/** What is known of one node of a chain. */
export interface NodeStanding {
  /** Milliseconds for which it is left alone, because it asked for that. */
  readonly restsForMs: number;
  /** Blocks by which its head is behind the newest of all nodes; null while it is not known. */
  readonly blocksBehind: number | null;
  /** Milliseconds in which it answers a request for its head; null before the first answer. */
  readonly latencyMs: number | null;
  /** Share of the last requests that had no usable answer, from 0 to 1. */
  readonly failureShare: number;
}

/** Ranks the nodes of one chain, which are named by their place in the order of preference. */
export interface NodeRanking {
  /**
   * All nodes, the best first. The order of preference decides between equals.
   *
   * @param isDown Nodes that the caller knows not to answer. They come last.
   */
  order(isDown?: (node: number) => boolean): readonly number[];
  /** A request had an answer, which may be a refusal. */
  answered(node: number): void;
  /** A request had no usable answer. */
  failed(node: number): void;
  /**
   * The node answered that there were too many requests.
   *
   * @param askedMs The pause that it asked for, if it did.
   */
  limited(node: number, askedMs?: number | undefined): void;
  /** The heads of all nodes, compared at one time; null for one that did not answer. */
  compared(probes: readonly (NodeProbe | null)[]): void;
  standing(node: number): NodeStanding;
}

/** One answer to a request for the head. */
export interface NodeProbe {
  readonly head: bigint;
  readonly ms: number;
}

/**
 * A node this far behind the newest head is used only when no other can be. A live check must not
 * read old state; two blocks are what honest providers differ by.
 */
const MAX_BLOCKS_BEHIND = 2;
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;
/** Weight of the newest request in the share of failures and in the latency. */
const NEWEST = 0.25;
/** From three failures in a row on. */
const MAX_FAILURE_SHARE = 0.5;
/** A node is slow above this multiple of the fastest node's latency, and this much more. */
const SLOW_FACTOR = 4;
const SLOW_MS = 250;

interface Record {
  restsUntil: number;
  /** Rests that followed each other without an answer in between. */
  rests: number;
  head: bigint | null;
  latencyMs: number | null;
  failureShare: number;
}

/**
 * @param count Number of nodes.
 * @param now A monotonic clock in milliseconds.
 */
export function createNodeRanking(count: number, now: () => number): NodeRanking {
  const records = Array.from(
    { length: count },
    (): Record => ({ restsUntil: 0, rests: 0, head: null, latencyMs: null, failureShare: 0 }),
  );
  const recordOf = (node: number) => records[node] as Record;

  function blocksBehind({ head }: Record): number | null {
    if (head === null) return null;
    const newest = records.reduce((most, other) => {
      return other.head !== null && other.head > most ? other.head : most;
    }, head);
    return Number(newest - head);
  }

  function isSlow({ latencyMs }: Record): boolean {
    if (latencyMs === null) return false;
    const fastest = Math.min(...records.map((other) => other.latencyMs ?? Infinity));
    return latencyMs > fastest * SLOW_FACTOR + SLOW_MS;
  }

  /** Lower is better. */
  function burden(record: Record): number {
    const isResting = now() < record.restsUntil;
    const isBehind = (blocksBehind(record) ?? 0) > MAX_BLOCKS_BEHIND;
    const isPoor = record.failureShare > MAX_FAILURE_SHARE || isSlow(record);
    return (isResting ? 4 : 0) + (isBehind ? 2 : 0) + (isPoor ? 1 : 0);
  }

  function counted(record: Record, outcome: 0 | 1): void {
    record.failureShare += NEWEST * (outcome - record.failureShare);
  }

  return {
    order: (isDown = () => false) =>
      records
        .map((record, node) => ({ node, burden: burden(record) + (isDown(node) ? 8 : 0) }))
        .sort((one, other) => one.burden - other.burden)
        .map(({ node }) => node),

    answered(node) {
      const record = recordOf(node);
      record.rests = 0;
      counted(record, 0);
    },

    failed: (node) => counted(recordOf(node), 1),

    limited(node, askedMs) {
      const record = recordOf(node);
      // Requests that were sent together are answered together, and count as one.
      const isResting = now() < record.restsUntil;
      const ownMs = isResting ? 0 : FIRST_REST_MS * 2 ** record.rests;
      const until = now() + Math.min(Math.max(ownMs, askedMs ?? 0), LONGEST_REST_MS);
      record.restsUntil = Math.max(record.restsUntil, until);
      if (!isResting) record.rests += 1;
    },

    compared(probes) {
      for (const [node, record] of records.entries()) {
        const probe = probes[node] ?? null;
        record.head = probe?.head ?? null;
        if (probe === null) {
          if (now() >= record.restsUntil) counted(record, 1);
          continue;
        }
        const before = record.latencyMs ?? probe.ms;
        record.latencyMs = before + NEWEST * (probe.ms - before);
        // A node that is not asked any more recovers by this.
        counted(record, 0);
      }
    },

    standing(node) {
      const record = recordOf(node);
      return {
        restsForMs: Math.max(0, record.restsUntil - now()),
        blocksBehind: blocksBehind(record),
        latencyMs: record.latencyMs,
        failureShare: record.failureShare,
      };
    },
  };
}

/** The pause in a `Retry-After` header, in milliseconds; undefined without a usable one. */
export function retryAfterMs(value: string | null | undefined, unixMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - unixMs);
}
