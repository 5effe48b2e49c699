import { createHash } from "node:crypto";
import type pg from "pg";

/** A row as JSON that PostgreSQL reads into the table's types, by the names of its columns. */
export type RebuiltRow = Readonly<Record<string, unknown>>;

/** A table of the schema `app` that is rebuilt. */
export interface RebuiltTable {
  readonly name: string;
  readonly key: readonly string[];
  /** What a rebuilt row has exactly as the lost one had it, as SQL over the row's columns. */
  readonly exact: readonly string[];
  /** Which rows can be rebuilt, as a condition on `"row"`. */
  readonly which: string;
}

/** How a table stands after it was rebuilt. */
export interface Rebuilt {
  /** Rows that the chain and permanent storage say there are. */
  readonly expected: number;
  /** Of these, the rows that are in the database now, added ones included. */
  readonly present: number;
  readonly added: number;
  /** Whether all of these are there as they were. */
  readonly isEqual: boolean;
}

/**
 * Adds the rows that are missing. An existing row is never changed.
 *
 * @param expected How many rows there should be: some may have no source any more.
 */
export async function rebuild(
  client: pg.Client,
  table: RebuiltTable,
  rows: readonly RebuiltRow[],
  expected: number = rows.length,
): Promise<Rebuilt> {
  const { name, key, exact } = table;
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  if (columns === "") return { expected, present: 0, added: 0, isEqual: expected === 0 };
  const source = `(select * from jsonb_populate_recordset(null::app.${name}, $1))`;
  const json = JSON.stringify(rows);
  const { rowCount } = await client.query(
    `insert into app.${name} (${columns}) select ${columns} from ${source} as rebuilt
     on conflict do nothing`,
    [json],
  );
  const same = key.map((column) => `present.${column} = rebuilt.${column}`).join(" and ");
  const values = (from: string) =>
    `(select jsonb_build_array(${exact.join(", ")}) from (select ${from}.*) as "row")`;
  const { rows: compared } = await client.query<{ present: number; different: number }>(
    `select count(present.*)::int as present,
       (count(*) filter (where ${values("present")} is distinct from ${values("rebuilt")}))::int
         as different
     from ${source} as rebuilt left join app.${name} as present on ${same}`,
    [json],
  );
  const [{ present, different } = { present: 0, different: 0 }] = compared;
  return {
    expected,
    present,
    added: rowCount ?? 0,
    isEqual: different === 0 && present === expected,
  };
}

/** What can be compared of a table before and after a loss. */
export interface TableState {
  readonly rows: number;
  /** SHA-256 over the rows; null of a table that cannot be rebuilt. */
  readonly hash: string | null;
}

/** The rows of a table that can be rebuilt, as one hash. */
export async function stateOf(
  client: pg.Client,
  { name, key, exact, which }: RebuiltTable,
): Promise<TableState> {
  return hashOf(
    client,
    `select jsonb_build_array(${exact.join(", ")})::text as line
     from app.${name} as "row" where ${which} order by ${key.join(", ")}`,
  );
}

/** The rows of a view of the index. */
export function viewState(client: pg.Client, name: string): Promise<TableState> {
  return hashOf(
    client,
    `select to_jsonb("row")::text as line from chain."${name}" as "row"
     order by to_jsonb("row")::text collate "C"`,
  );
}

const PAGE = 1_000;

/** One page in memory at a time. */
async function hashOf(client: pg.Client, query: string): Promise<TableState> {
  const hash = createHash("sha256");
  let rows = 0;
  await client.query("begin transaction isolation level repeatable read read only");
  try {
    await client.query(`declare lines cursor for ${query}`);
    for (;;) {
      const page = await client.query<{ line: string }>(`fetch ${PAGE} from lines`);
      for (const { line } of page.rows) hash.update(`${line}\n`);
      rows += page.rows.length;
      if (page.rows.length < PAGE) break;
    }
  } finally {
    await client.query("rollback");
  }
  return { rows, hash: hash.digest("hex") };
}
