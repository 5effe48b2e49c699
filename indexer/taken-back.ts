import pg from "pg";

/** As Ponder writes it, in a reorganization and at a start. */
const DROPPED_TRIGGER = /^\s*DROP TRIGGER IF EXISTS "([^"]+)" ON "([^"]+)"\."([^"]+)";?\s*$/;
const CHECKPOINT = "_ponder_checkpoint";
/** Of the latest checkpoint, with leading zeros. Its time says nothing: other blocks of the same number may be of any. */
const BLOCK_NUMBER = "substr(latest_checkpoint, 27, 16)";
/** For as long reads wait for what was taken back: the chain may have become shorter for good. */
const LONGEST_SECONDS = 60;

/**
 * Notes in Ponder's own row that blocks are taken back, and from where: its latest checkpoint goes on naming the last of them.
 * Until as many are read again, the index is right up to the safe checkpoint only, see `point` of the API's reads.
 */
function noteTakenBack(schema: string): string {
  const [meta, checkpoint] = ["_ponder_meta", CHECKPOINT].map((table) => nameOf(schema, table));
  return `
    update ${meta} as noted set value = noted.value || jsonb_build_object('taken_back', jsonb_build_object(
        'until', extract(epoch from now()) + ${LONGEST_SECONDS},
        'from', greatest(${BLOCK_NUMBER}, case when (noted.value #>> '{taken_back,until}')::numeric > extract(epoch from now())
          then noted.value #>> '{taken_back,from}' end)))
      from ${checkpoint};
    ${onlyFinal(schema)}`;
}

function onlyFinal(schema: string): string {
  return `update ${nameOf(schema, CHECKPOINT)} set latest_checkpoint = safe_checkpoint;`;
}

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
  const table = nameOf(schema, CHECKPOINT);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [table]);
    if (rows[0]?.exists) await client.query(onlyFinal(schema));
  } finally {
    await client.end();
  }
}

/**
 * In place of a trigger that Ponder drops while it takes blocks back, and makes again. Dropping it locks its table against every
 * read, and all tables at once: reads of several wait for it while it waits for them, in deadlocks. A disabled trigger locks out no
 * read, and the statement that makes it enables it.
 */
export function quietly(statement: string): string {
  const [, trigger = "", schema = "", table = ""] = DROPPED_TRIGGER.exec(statement) ?? [];
  if (table === "") return statement;
  const on = nameOf(schema, table);
  return `do $quietly$ begin
    if exists (select from pg_trigger where tgrelid = to_regclass(${pg.escapeLiteral(on)}) and tgname = ${pg.escapeLiteral(trigger)}) then
      alter table ${on} disable trigger ${pg.escapeIdentifier(trigger)};
    end if;${table === CHECKPOINT ? noteTakenBack(schema) : ""}
  end $quietly$`;
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
