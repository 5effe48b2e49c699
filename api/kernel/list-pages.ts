/** Which entries of a list are asked for. */
export interface CursorPage<Position> {
  readonly limit: number;
  /** The position of the last entry of the page before; without it, the list is read from its start. */
  readonly after?: Position | null | undefined;
}

/** As {@link CursorPage}, of a list that can be read by number as well. */
export interface ListPage<Position> extends CursorPage<Position> {
  /** How many entries are skipped. */
  readonly offset: number;
}

/** A page of a list. */
export interface PageOf<Entry, Position> {
  readonly entries: readonly Entry[];
  /** The position of its last entry; null on the last page. */
  readonly next: Position | null;
}

/** The page in the rows that were found when one more than `limit` was read. */
export function pageOf<Entry, Position>(
  rows: readonly Entry[],
  limit: number,
  positionOf: (entry: Entry) => Position,
): PageOf<Entry, Position> {
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { entries, next: hasMore ? positionOf(last) : null };
}
