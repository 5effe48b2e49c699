import { ApiError } from "./api-error.ts";

/** How the pages of a list follow each other, as the generated table says. */
export interface PagesRow {
  readonly by: "cursor" | "page" | "offset" | "none";
  /** The member of the answer that holds the entries. */
  readonly items: string;
  /** The query parameter with the position of the page. */
  readonly position?: string;
  /**
   * The query parameter with the size of a page, and its largest value. Without them, the list ends
   * with an empty page.
   */
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
  const size = row.limit === undefined ? undefined : (given?.[row.limit] ?? row.most);
  let query: Query = { ...given };
  if (row.limit !== undefined) query = { ...query, [row.limit]: size };
  const seen = new Set<unknown>([row.position && query[row.position]]);

  for (let pages = 0; pages < maxPages; pages += 1) {
    const answer = await page(query);
    const entries = entriesIn(answer, row, operation);
    yield* entries;
    const next = nextPosition(answer, { row, query, count: entries.length, size: Number(size) });
    if (next === null || row.position === undefined) return;
    if (seen.has(next)) {
      throw new ApiError("INVALID_ANSWER", "The list repeats a page.", { operation });
    }
    seen.add(next);
    query = { ...query, [row.position]: next };
  }
  throw new ApiError("TOO_MANY_PAGES", `The list has more than ${maxPages} pages.`, { operation });
}

function entriesIn(answer: unknown, { items }: PagesRow, operation: string): readonly unknown[] {
  const entries = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[items];
  if (Array.isArray(entries)) return entries;
  throw new ApiError("INVALID_ANSWER", `The answer has no list ${items}.`, { operation });
}

/** The position of the next page; null after the last one. */
function nextPosition(
  answer: unknown,
  page: {
    readonly row: PagesRow;
    readonly query: Query;
    readonly count: number;
    readonly size: number;
  },
): unknown {
  const { row, query, count, size } = page;
  if (row.by === "none" || row.position === undefined) return null;
  if (row.by === "cursor") {
    const { nextCursor } = answer as { readonly nextCursor?: unknown };
    return nextCursor ?? null;
  }
  // A page with fewer entries than asked for is the last one.
  if (count === 0 || count < size) return null;
  const position = query[row.position];
  return row.by === "page" ? Number(position ?? 1) + 1 : Number(position ?? 0) + count;
}
