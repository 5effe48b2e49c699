import { z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import type { ListPage } from "../../../kernel/list-pages.ts";

const MAX_LIMIT = 100;
const MAX_PAGE = 1_000_000;
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(DECIMAL, "Not a decimal integer")
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `Not ${minimum} to ${maximum}`);

/** How many entries a page has at most. */
export const limitParam = (otherwise: number) =>
  integer(1, MAX_LIMIT)
    .default(otherwise)
    .openapi({ type: "integer", minimum: 1, maximum: MAX_LIMIT, default: otherwise });

/** The number of a page, from 1. */
export const pageParam = integer(1, MAX_PAGE).optional().openapi({
  type: "integer",
  minimum: 1,
  maximum: MAX_PAGE,
  default: 1,
  description: "The number of the page, from 1. Not together with a cursor.",
});

/** How many entries are skipped. */
export const offsetParam = (maximum: number) =>
  integer(0, maximum).optional().openapi({
    type: "integer",
    minimum: 0,
    maximum,
    default: 0,
    description: "How many entries are skipped. Not together with a cursor.",
  });

/**
 * The page that a request asks for: behind a cursor, or by number.
 *
 * @throws ApiError INVALID_REQUEST when it names both.
 */
export function pageBy<Position>(
  limit: number,
  from: {
    readonly cursor: Position | undefined;
    /** The parameter that counts, and how many entries it skips; undefined when it is absent. */
    readonly counted: readonly [name: string, skipped: number | undefined];
    readonly cursorName?: string;
  },
): ListPage<Position> {
  const { cursor, counted, cursorName = "cursor" } = from;
  const [name, skipped] = counted;
  if (cursor !== undefined && skipped !== undefined) {
    throw badRequest(cursorName, `Send either ${cursorName} or ${name}, not both`);
  }
  return { limit, offset: skipped ?? 0, after: cursor };
}

/** How many entries come before a page; undefined for no page. */
export const skippedBy = (page: number | undefined, limit: number): number | undefined =>
  page === undefined ? undefined : (page - 1) * limit;

/** The number of a page in its answer; null when it was read by cursor. */
export const pageNumber = (page: number | undefined, cursor: unknown): number | null =>
  cursor === undefined ? (page ?? 1) : null;

/** `page` of an answer. */
export const PageNumber = z.int().min(1).nullable().openapi({
  description: "The number of this page. Null when it was read by cursor.",
});
