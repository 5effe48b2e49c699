import { LRUCache } from "lru-cache";
import { isWatched, readsBesideDatabase } from "../../kernel/database-alone.ts";
import { isInPublicAnswers } from "./columns.ts";

/** Prepared statements have a few hundred texts; those with lists in them have more. */
const known = new LRUCache<string, boolean>({ max: 2_000 });

/** Tables of the service and of its queue. The indexer's views are all public. */
const OWN_TABLES = /\b(app|app_migrations|jobs)"?\s*\.\s*"?(\w+)/gi;
const NOT_OF_ROWS =
  /\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid|nextval)\s*\(|\bcurrent_(date|time)/i;

/**
 * Called before each statement. An answer for which a statement read a table whose changes are not
 * counted, or the time, is not kept: nothing would tell when it has become wrong.
 *
 * @param text Undefined for statements that are not known yet.
 */
export function noteStatement(text: string | undefined): void {
  if (isWatched() && (text === undefined || !isPublic(text))) readsBesideDatabase();
}

function isPublic(text: string): boolean {
  const before = known.get(text);
  if (before !== undefined) return before;
  const is = readsPublicRows(text);
  known.set(text, is);
  return is;
}

/** Whether a statement's result follows from the rows of tables in public answers alone. */
export function readsPublicRows(text: string): boolean {
  if (NOT_OF_ROWS.test(text)) return false;
  for (const [, schema, table = ""] of text.matchAll(OWN_TABLES)) {
    if (schema?.toLowerCase() !== "app" || !isInPublicAnswers(table)) return false;
  }
  return true;
}
