import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { inBatches } from "../../kernel/batches.ts";
import {
  checkpoint,
  isWithoutViews,
  parseCheckpoint,
  point,
  withViews,
} from "../index-views.store.ts";
import type { PublicState } from "./public-state.ts";

interface PublicStateOptions {
  readonly pool: Pick<Pool, "query" | "on">;
  /** Whether changes of what these views read are counted, given their number in PostgreSQL's catalogue. */
  readonly countsViews: (views: number) => boolean;
}

interface Row {
  readonly count: string | null;
  readonly isSettled: boolean;
  readonly views: number;
  readonly since: string;
  readonly point: string;
}

/**
 * The views are replaced when another build of the index takes over: those are new ones. The start of the server is a part
 * because a server that took over may count the same numbers again.
 *
 * The lock is that of migration 0012_kept_answers, for this statement alone. It does not wait for a writer that is under way, and
 * a writer that comes waits a moment.
 */
const PRESENT = {
  name: "present_public_state",
  text: new PgDialect().sqlToQuery(sql`
    select case when not pg_is_in_recovery() then changes.last_value end as count,
      pg_try_advisory_xact_lock(7340118202) as "isSettled",
      to_regclass('chain._ponder_checkpoint')::oid as views,
      extract(epoch from pg_postmaster_start_time()) as since,
      ${point.sql} as point
    from app.public_change as changes, ${checkpoint}`).sql,
};

/**
 * Reads how many changes triggers have counted. Concurrent calls share a statement, which is sent after they came. Null where the
 * state is not known: on a server that replays another one's log, and before the index has views whose changes are counted.
 */
export function publicStateReader(options: PublicStateOptions): () => Promise<PublicState | null> {
  const { pool, countsViews } = options;
  const life = livesOfServer(pool);

  const read = inBatches<"state", PublicState | null>(async (callers) => {
    const state = await readState();
    return callers.map(() => state);
  });

  async function readState(): Promise<PublicState | null> {
    const before = life();
    const [row] = await withViews(() => pool.query<Row>(PRESENT).then(({ rows }) => rows)).catch(
      noneBeforeViews,
    );
    // It is not known in which of both lives the row was read.
    if (before !== life()) return readState();
    return row === undefined ? null : stateOf(row, before);
  }

  function stateOf(row: Row, life: number): PublicState | null {
    const { count, isSettled, views, since, point } = row;
    if (count === null || !countsViews(views)) return null;
    return { name: `${count} ${views} ${since} ${life}`, isSettled, at: parseCheckpoint(point) };
  }

  return () => read("state");
}

/**
 * Numbers the lives of the server, as far as this process can tell them apart. A server that crashed may count the same changes
 * again, and has ended every connection: while one of them stays open, it is the same life. One that the pool ends itself, because
 * it was idle or a statement failed, says nothing.
 */
function livesOfServer(pool: Pick<Pool, "on">): () => number {
  let open = 0;
  let life = 0;
  pool.on("connect", (client) => {
    if (open === 0) life += 1;
    open += 1;
    client.once("end", () => {
      open -= 1;
    });
  });
  return () => life;
}

function noneBeforeViews(error: unknown): readonly Row[] {
  if (isWithoutViews(error)) return [];
  throw error;
}
