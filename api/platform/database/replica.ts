import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { parseLsn, type WalPosition } from "./positions.ts";
import { repeatedly } from "./watch.ts";

/** Why reads do not go to the replica now; null when they do. */
export type ReplicaFault = "unreachable" | "behind" | "promoted";

/** What an answer from the replica must contain. */
export type ReadAfter =
  | { readonly position: WalPosition }
  /** Every write that is older than the permitted lag. */
  | "recent";

/** Bytes that the primary may write between two looks. */
const MAX_AHEAD = 1n << 26n;

const POLL_MS = 250;
/** Pause between two questions whether a position is replayed, in milliseconds. */
const WAIT_POLL_MS = 10;
/** Positions of the primary that are kept to find the replica's lag. */
const SAMPLES = 240;

interface ReplicaRow {
  readonly replaying: boolean;
  readonly replayed: string | null;
}

const REPLICA_STATE =
  "select pg_is_in_recovery() as replaying, pg_last_wal_replay_lsn()::text as replayed";

/**
 * Watches a streaming replica. It notes four times a second where the primary's log of writes ends,
 * and up to where the replica has replayed it. So the lag is known also while nothing is written,
 * and two machines' clocks are never compared.
 *
 * A replica that does not answer, is too far behind, or is not a replica any more is left alone.
 */
export function watchReplica(options: {
  readonly primary: Pick<Pool, "query">;
  readonly replica: Pick<Pool, "query">;
  /** Milliseconds by which the replica may be behind. */
  readonly maxLagMs: number;
  /** Longest wait for a position, in milliseconds. */
  readonly waitMs: number;
  readonly log: Logger;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Pause between two looks, in milliseconds. */
  readonly pollMs?: number;
}) {
  const { primary, replica, maxLagMs, waitMs, log, now, pollMs = POLL_MS } = options;
  /** Ends of the primary's log, oldest first. */
  let samples: { readonly position: WalPosition; readonly at: number }[] = [];
  /** Everything written before this moment is on the replica; null before the first look. */
  let shownUntil: number | null = null;
  let replayed: WalPosition = 0n;
  let fault: ReplicaFault | null = "unreachable";

  const isRecent = () => shownUntil !== null && now() - shownUntil <= maxLagMs;

  async function look(): Promise<void> {
    const at = now();
    const [lsn, row] = await lookAt(primary, replica, log);
    if (lsn === undefined || row === undefined) return report("unreachable");
    if (!row.replaying) {
      shownUntil = null;
      return report("promoted");
    }
    samples = [...samples.slice(1 - SAMPLES), { position: parseLsn(lsn), at }];
    replayed = row.replayed === null ? 0n : parseLsn(row.replayed);
    const shown = samples.findLast(({ position }) => position <= replayed);
    if (shown !== undefined) shownUntil = shown.at;
    report(isRecent() ? null : "behind");
  }

  function report(present: ReplicaFault | null): void {
    if (present === fault) return;
    fault = present;
    if (present === null) log.info("reads go to the replica");
    else log.warn({ fault: present }, "the replica is not used; reads go to the primary");
  }

  /** Asks the replica until it has replayed the position. */
  async function isReplayed(position: WalPosition): Promise<boolean> {
    const deadline = now() + waitMs;
    while (replayed < position) {
      if (now() >= deadline) return false;
      await delay(WAIT_POLL_MS);
      const { rows } = await replica.query<ReplicaRow>(REPLICA_STATE);
      const [row] = rows;
      if (row === undefined || !row.replaying || row.replayed === null) return false;
      const seen = parseLsn(row.replayed);
      if (seen > replayed) replayed = seen;
    }
    return true;
  }

  return {
    /** Whether the replica may answer. Waits, for a bounded time, until it has replayed the position. */
    async mayRead(after: ReadAfter): Promise<boolean> {
      if (fault !== null || !isRecent()) return false;
      if (after === "recent" || after.position <= replayed) return true;
      const end = samples.at(-1);
      // A position that the primary had not reached may be newer than the last look, but is more
      // likely of another server: waiting for it would only take time.
      if (end === undefined || after.position > end.position + MAX_AHEAD) return false;
      return isReplayed(after.position).catch(() => false);
    },
    /** A read on it failed: nothing is read from it before the next look. */
    failed: () => report("unreachable"),
    standing: () => ({
      fault,
      lagMs: shownUntil === null ? null : Math.max(0, now() - shownUntil),
    }),
    stop: repeatedly(look, pollMs),
  };
}

/** Where the primary's log ends, and the replica's state; neither when one of them does not answer. */
async function lookAt(primary: Pick<Pool, "query">, replica: Pick<Pool, "query">, log: Logger) {
  try {
    const [end, state] = await Promise.all([
      primary.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn"),
      replica.query<ReplicaRow>(REPLICA_STATE),
    ]);
    return [end.rows[0]?.lsn, state.rows[0]] as const;
  } catch (error) {
    log.debug({ err: error }, "the replica could not be looked at");
    return [];
  }
}
