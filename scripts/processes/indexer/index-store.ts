import pg from "pg";
import type { Hex } from "viem";
import type { AnsweredLog } from "../../../indexer/complete-logs.ts";
import { prepareRestart } from "./restart.ts";
import { pointViews } from "./views.ts";

/** A range of blocks, both included. */
export interface BlockRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The blocks of which Ponder has stored the logs of one event of one contract. */
export interface StoredEvent {
  readonly address: Hex;
  /** Null for every event. */
  readonly topic: Hex | null;
  /** In the order of the chain, without overlaps. */
  readonly ranges: readonly BlockRange[];
}

/** What Ponder stores of blocks, beside the intervals that say which it has. */
const CACHED = [
  "logs",
  "blocks",
  "transactions",
  "transaction_receipts",
  "traces",
  "rpc_request_results",
];

/** Waits for rows that Ponder or the API hold. */
const STATEMENT_MS = 120_000;
const CONNECT_MS = 10_000;

export type IndexStore = ReturnType<typeof openIndexStore>;

/**
 * What the supervisor of the index reads and writes: the views, the faults, Ponder's cache and the progress of the second
 * reading.
 *
 * @param base The schema of this release's first index. One that is built after a fault has the fault's number behind it.
 */
export function openIndexStore(databaseUrl: string, chainId: number, base: string) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
  });
  // A connection that breaks also rejects its statement.
  pool.on("error", () => {});

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    return (await pool.query<Row>(text, values)).rows;
  }

  /** The fault after which a schema was built; null when it is another release's. */
  function generationOf(schema: string): bigint | null {
    if (schema === base) return 0n;
    const suffix = schema.startsWith(`${base}_`) ? schema.slice(base.length + 1) : "";
    return /^\d+$/.test(suffix) ? BigInt(suffix) : null;
  }

  async function inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await work(client);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }

  /** Lets Ponder and the second reading read the range again. An interval ends one above its last block, and includes that end. */
  async function forget(client: pg.PoolClient, { first, last }: BlockRange): Promise<void> {
    const { rows } = await client.query<{ cache: string | null }>(
      "select to_regclass('ponder_sync.intervals')::text as cache",
    );
    if (rows[0]?.cache === null) return;
    const range = [chainId, String(first), String(last)];
    await client.query(
      `update ponder_sync.intervals set blocks = coalesce((
        select range_agg(part) from unnest(blocks - nummultirange(numrange($2, $3::numeric + 1, '()'))) as part
        where upper(part) > lower(part)), '{}')
      where chain_id = $1`,
      range,
    );
    for (const table of CACHED) {
      const column = table === "blocks" ? "number" : "block_number";
      await client.query(
        `delete from ponder_sync.${table} where chain_id = $1 and ${column} between $2 and $3`,
        range,
      );
    }
    await client.query(
      `insert into app.index_reread (base, block, seen_at, reread_at) select $1, $2::bigint - 1, now(), now()
      where exists (select from app.index_reread where base = $1 and block >= $2 and reread_at is not null)
      on conflict (base, block) do update set reread_at = excluded.reread_at`,
      [base, String(first)],
    );
    await client.query("delete from app.index_reread where base = $1 and block >= $2", [
      base,
      String(first),
    ]);
  }

  return {
    close: () => pool.end(),

    /** The schema that the views show, when it is one of this release, and the one that they should show. */
    async look(): Promise<{ readonly served: string | null; readonly wanted: string }> {
      const [row] = await query<{ served: string | null; newest: string }>(`select
        (select table_schema from information_schema.view_table_usage
          where view_schema = 'chain' and view_name = '_ponder_meta') as served,
        (select coalesce(max(id), 0)::text from app.index_fault) as newest`);
      const shown = row?.served ?? null;
      const generation = shown === null ? null : generationOf(shown);
      const newest = BigInt(row?.newest ?? 0);
      const served = generation === null ? null : shown;
      // Old faults are removed from the table.
      if (served !== null && generation !== null && generation >= newest) {
        return { served, wanted: served };
      }
      return { served, wanted: newest === 0n ? base : `${base}_${newest}` };
    },

    /** Removes the ranges of open faults from Ponder's cache, once for each, before an index is built without them. */
    prepare: (schema: string) =>
      inTransaction(async (client) => {
        const { rows } = await client.query<{ first: string; last: string }>(
          `select from_block::text as first, to_block::text as last from app.index_fault
          where mended_at is null and rebuilt_as is null and id <= $1 for update`,
          [String(generationOf(schema))],
        );
        for (const { first, last } of rows) {
          await forget(client, { first: BigInt(first), last: BigInt(last) });
        }
        await client.query(
          "update app.index_fault set rebuilt_as = $1 where mended_at is null and id <= $2",
          [schema, String(generationOf(schema))],
        );
      }),

    /** As {@link prepareRestart}. */
    prepareRestart: (schema: string) => prepareRestart(pool, schema),

    /** As {@link pointViews}. */
    show: (schema: string) => pointViews(pool, schema),

    /** The views show this schema: its faults are mended, and older schemas are not used any more. */
    async finish(schema: string): Promise<void> {
      const generation = generationOf(schema) ?? 0n;
      await query(
        "update app.index_fault set mended_at = now() where mended_at is null and id <= $1",
        [String(generation)],
      );
      const schemas = await query<{ name: string }>(
        `select nspname as name from pg_namespace where starts_with(nspname, $1) and not exists (
          select from information_schema.view_table_usage where view_schema = 'chain' and table_schema = nspname)`,
        [base],
      );
      for (const { name } of schemas) {
        const other = generationOf(name);
        if (other !== null && other < generation) {
          await query(`drop schema if exists ${pg.escapeIdentifier(name)} cascade`);
        }
      }
    },

    /** Records that a range was stored with other logs than the chain has, and removes it from Ponder's cache. */
    recordFault: (range: BlockRange, detail: string) =>
      inTransaction(async (client) => {
        await client.query(
          `insert into app.index_fault (found_at, found_by, from_block, to_block, detail)
          values (now(), 'reread', $1, $2, $3)`,
          [String(range.first), String(range.last), detail],
        );
        await forget(client, range);
      }),

    async storedEvents(): Promise<readonly StoredEvent[]> {
      const rows = await query<{ id: string; ranges: { first: string; last: string }[] }>(
        `select fragment_id as id, coalesce((
          select jsonb_agg(jsonb_build_object('first', lower(part)::text, 'last', (upper(part) - 1)::text)
            order by part) from unnest(blocks) as part), '[]') as ranges
        from ponder_sync.intervals where chain_id = $1 and starts_with(fragment_id, 'log_')`,
        [chainId],
      );
      return rows.map(({ id, ranges }) => {
        const [, , address, topic] = id.split("_");
        return {
          address: address as Hex,
          topic: topic === "null" ? null : (topic as Hex),
          ranges: ranges.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) })),
        };
      });
    },

    async storedLogs({ first, last }: BlockRange): Promise<readonly AnsweredLog[]> {
      const rows = await query<Record<keyof AnsweredLog, string> & { topics: Hex[] }>(
        `select address, data, block_hash as "blockHash", block_number::text as "blockNumber", log_index::text as "logIndex",
          array_remove(array[topic0, topic1, topic2, topic3], null) as topics
        from ponder_sync.logs where chain_id = $1 and block_number between $2 and $3`,
        [chainId, String(first), String(last)],
      );
      return rows as unknown as readonly AnsweredLog[];
    },

    /** The last block that was read twice; null before the first. */
    async rereadUpTo(): Promise<bigint | null> {
      const [row] = await query<{ block: string | null }>(
        "select max(block)::text as block from app.index_reread where base = $1 and reread_at is not null",
        [base],
      );
      return row?.block ? BigInt(row.block) : null;
    },

    /** Notes up to where Ponder has stored final blocks now, and returns up to where it had so long ago. */
    async storedBefore(block: bigint, delayMs: number): Promise<bigint | null> {
      await query(
        `insert into app.index_reread (base, block, seen_at) select $1, $2, now()
        where not exists (select from app.index_reread where base = $1 and reread_at is null
          and (block >= $2 or seen_at > now() - $3 * interval '1 millisecond'))`,
        [base, String(block), delayMs / MARKS_PER_DELAY],
      );
      const [row] = await query<{ block: string | null }>(
        `select max(block)::text as block from app.index_reread
        where base = $1 and seen_at <= now() - $2 * interval '1 millisecond'`,
        [base, delayMs],
      );
      return row?.block ? BigInt(row.block) : null;
    },

    rereadTo: (block: bigint) =>
      inTransaction(async (client) => {
        await client.query(
          `insert into app.index_reread (base, block, seen_at, reread_at) values ($1, $2, now(), now())
          on conflict (base, block) do update set reread_at = excluded.reread_at`,
          [base, String(block)],
        );
        await client.query("delete from app.index_reread where base <> $1 or block < $2", [
          base,
          String(block),
        ]);
      }),
  };
}

/** How precisely the time is known at which a block was stored. */
const MARKS_PER_DELAY = 10;
