import { ApiError } from "./api-error.ts";

/** How the pages of a list follow each other, as the generated table says. */
export interface PagesRow {
  /** The member of the answer that holds the entries. */
  readonly items: string;
  /** The query parameter with the cursor. Without it, the answer is the whole list. */
  readonly cursor?: string;
  /** The query parameter with the number of the first page or entry, which no cursor goes with. */
  readonly start?: string;
  /** The query parameter with the size of a page, and its largest value. */
  readonly limit?: string;
  readonly most?: number;
}

type Query = Readonly<Record<string, unknown>>;

export interface PagesInput {
  readonly operation: string;
  readonly row: PagesRow;
  readonly query: Query | undefined;
  /** The most pages that are requested. */
  readonly maxPages: number;
  readonly page: (query: Query) => Promise<unknown>;
}

/**
 * All entries of a list, page by page as they are read. Pages are as large as the service allows
 * where the query gives no size.
 *
 * @throws ApiError TOO_MANY_PAGES after the last page that may be read, INVALID_ANSWER for a page
 * without entries in a list and for a cursor that was answered before.
 */
export async function* entriesOf({
  operation,
  row,
  query: given,
  maxPages,
  page,
}: PagesInput): AsyncGenerator<unknown, void, undefined> {
  const { cursor, start, limit } = row;
  let query: Query = { ...given };
  if (limit !== undefined) query = { ...query, [limit]: query[limit] ?? row.most };
  const seen = new Set<unknown>([cursor && query[cursor]]);

  for (let pages = 0; pages < maxPages; pages += 1) {
    const answer = await page(query);
    yield* entriesIn(answer, row, operation);
    if (cursor === undefined) return;
    const next = (answer as { readonly nextCursor?: unknown }).nextCursor ?? null;
    if (next === null) return;
    if (seen.has(next)) {
      throw new ApiError("INVALID_ANSWER", "The list repeats a page.", { operation });
    }
    seen.add(next);
    query = { ...query, [cursor]: next };
    // A cursor takes the place of the number that the list began with.
    if (start !== undefined) query = { ...query, [start]: undefined };
  }
  throw new ApiError("TOO_MANY_PAGES", `The list has more than ${maxPages} pages.`, { operation });
}

function entriesIn(answer: unknown, { items }: PagesRow, operation: string): readonly unknown[] {
  const entries = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[items];
  if (Array.isArray(entries)) return entries;
  throw new ApiError("INVALID_ANSWER", `The answer has no list ${items}.`, { operation });
}
