import { type SQL, sql } from "drizzle-orm";

// What agents say of themselves, as PostgreSQL searches it. Indexes are made of these expressions:
// a statement uses an index only when it repeats the expression exactly.

/**
 * The words of texts, in lower case and without grammar: names and tags are in any language. What
 * joins words in addresses and compounds separates them here.
 */
function wordsOf(...texts: readonly SQL[]): SQL {
  const whole = sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || ' ' || `,
  );
  return sql`to_tsvector('simple', translate(${whole}, './:@_-', '      '))`;
}

/** The words of a registration's public identity: bio, tagline, display name and tags. */
export const registeredWords = (payload: SQL): SQL =>
  wordsOf(
    sql`${payload} #>> '{request,publicIdentity,bio}'`,
    sql`${payload} #>> '{request,publicIdentity,tagline}'`,
    sql`${payload} #>> '{request,publicIdentity,displayName}'`,
    sql`${payload} #>> '{request,publicIdentity,tags}'`,
  );

/** The category of a registration's public identity. */
export const registeredCategory = (payload: SQL): SQL =>
  sql`(${payload} #>> '{request,publicIdentity,category}')`;

/** The words of a public identity that was changed: bio and tags. */
export const identityWords = (identity: SQL): SQL =>
  wordsOf(sql`${identity} #>> '{bio}'`, sql`${identity} #>> '{tags}'`);

/** The category of a public identity that was changed. */
export const identityCategory = (identity: SQL): SQL => sql`(${identity} #>> '{category}')`;

const SHORTEST = 3;
const MOST_WORDS = 8;

/**
 * What finds all typed words, the last one by its beginning: it may still be typed. Null when there
 * are too few letters to search for.
 */
export function wordQuery(typed: string): string | null {
  // Only letters and digits: nothing in it is an operator.
  const words = typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = words.at(-1);
  if (last === undefined || last.length < SHORTEST) return null;
  const whole = words.slice(0, -1).slice(0, MOST_WORDS - 1);
  return [...whole, `${last}:*`].join(" & ");
}
