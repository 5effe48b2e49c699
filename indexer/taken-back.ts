import pg from "pg";

/** As Ponder writes it, in a reorganization and at a start. */
const DROPPED_TRIGGER = /^\s*DROP TRIGGER IF EXISTS "([^"]+)" ON "([^"]+)"\."([^"]+)";?\s*$/;
/** The statement by which Ponder finds, in a reorganization, what to take back: all after a checkpoint. */
const TAKING_BACK =
  /^\s*SELECT MIN\(operation_id\) AS operation_id FROM \(\s*SELECT [^;]*? FROM "([^"]+)"\."_reorg__[^;]*? checkpoint > '([0-9]{75})'/;
/** The number of a checkpoint's block, with leading zeros. Its time says nothing: other blocks of the same number may be of any. */
const LATEST_BLOCK = "substr(latest_checkpoint, 27, 16)";
const LATEST_TIME = "substr(latest_checkpoint, 1, 10)";
/** For as long, by the chain's time, agents that were taken back are not said to be none: the chain may have become shorter for good. */
const LONGEST_SECONDS = 60;

function nameOf(schema: string, table: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}

/**
 * To be called before Ponder opens its tables: it then takes every block back that was not final, and says that it is ready before
 * it has read them again.
 *
 * @param args Ponder's, which name its schema.
 */
export async function forgetUnfinalBlocks(
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const schema = args[args.indexOf("--schema") + 1];
  if (schema === undefined || !args.includes("--schema")) {
    throw new Error("The indexer starts without --schema.");
  }
  const table = nameOf(schema, "_ponder_checkpoint");
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [table]);
    if (rows[0]?.exists) {
      await client.query(`update ${table} set latest_checkpoint = safe_checkpoint`);
    }
  } finally {
    await client.end();
  }
}

/**
 * A statement of Ponder, such that no read is locked out, and none finds more than stays, while blocks are taken back.
 *
 * A dropped trigger locks its table against every read, and all tables at once: reads of several wait for Ponder while it waits
 * for them, in deadlocks. A disabled one locks out no read, and the statement that makes it again enables it.
 *
 * The latest checkpoint goes on naming the last block that was taken back. It becomes the one after which all was, and Ponder's own
 * row keeps the number of that last block, see `point` of the API's reads.
 */
export function quietly(statement: string): string {
  const [, trigger = "", schema = "", table] = DROPPED_TRIGGER.exec(statement) ?? [];
  if (table !== undefined) return disabled(trigger, nameOf(schema, table));
  const [, of = "", checkpoint] = TAKING_BACK.exec(statement) ?? [];
  return checkpoint === undefined ? statement : `${noted(of, checkpoint)}${statement}`;
}

function disabled(trigger: string, table: string): string {
  return `do $quietly$ begin
    if exists (select from pg_trigger where tgrelid = to_regclass(${pg.escapeLiteral(table)}) and tgname = ${pg.escapeLiteral(trigger)}) then
      alter table ${table} disable trigger ${pg.escapeIdentifier(trigger)};
    end if;
  end $quietly$`;
}

function noted(schema: string, checkpoint: string): string {
  const [meta, progress] = ["_ponder_meta", "_ponder_checkpoint"].map((table) =>
    nameOf(schema, table),
  );
  return `with noted as (
    update ${meta} as app set value = app.value || jsonb_build_object('taken_back', jsonb_build_object(
        'until', lpad((${LATEST_TIME}::bigint + ${LONGEST_SECONDS})::text, 10, '0'),
        'from', greatest(${LATEST_BLOCK}, case when app.value #>> '{taken_back,until}' > ${LATEST_TIME}
          then app.value #>> '{taken_back,from}' end)))
      from ${progress}
  ), moved as (update ${progress} set latest_checkpoint = ${pg.escapeLiteral(checkpoint)})`;
}

/** To be called before Ponder connects: its statements are then sent {@link quietly}. */
export function reorganizeQuietly(): void {
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const query = function (this: pg.Client, statement: unknown, ...rest: unknown[]) {
    return Reflect.apply(send, this, [quietStatement(statement), ...rest]);
  };
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
}

function quietStatement(statement: unknown): unknown {
  if (typeof statement === "string") return quietly(statement);
  const { text } = (statement ?? {}) as { readonly text?: unknown };
  if (typeof text !== "string") return statement;
  const quiet = quietly(text);
  return quiet === text ? statement : { ...(statement as object), text: quiet };
}
