import { z } from "@hono/zod-openapi";

const LONGEST = 512;

/** An id, a block's number or Unix seconds in a position: fits 64 bits. */
export const IdPart = z.codec(z.string().regex(/^(?:0|[1-9][0-9]{0,17})$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (id) => id.toString(),
});

/** A moment in a position, in years that PostgreSQL reads. */
export const TimePart = z.codec(z.iso.datetime().startsWith("2"), z.date(), {
  decode: (text) => new Date(text),
  encode: (moment) => moment.toISOString(),
});

/** `nextCursor` of an answer. */
export const NextCursor = z.string().nullable().openapi({
  description: "Send it as `cursor` for the next page. Null on the last page.",
});

/**
 * Cursors that hold the position of the last entry of a page. A page is found by that position, so
 * added and removed entries neither repeat nor hide others.
 *
 * @param list Names the list and its order: a cursor of another one is refused.
 */
export function listCursors<Schema extends z.ZodType>(list: string, position: Schema) {
  type Position = z.output<Schema>;
  const wire = z.tuple([z.literal(list), z.unknown()]);
  return {
    /** The query parameter: the position that the cursor names. */
    param: z
      .string()
      .transform((text, context): Position => {
        const named = text.length > LONGEST ? undefined : wire.safeParse(jsonIn(text)).data;
        const parsed = named && position.safeParse(named[1]);
        if (parsed?.success) return parsed.data;
        context.addIssue({
          code: "custom",
          message:
            "Not a cursor of this list and order. Send the nextCursor of the page before, or no cursor for the first page",
        });
        return z.NEVER;
      })
      .optional()
      .openapi({
        type: "string",
        description:
          "`nextCursor` of the page before, in the same order. Pages stay right while entries are added.",
      }),
    /** The cursor for the page after a position; null for null. */
    text: (at: Position | null): string | null =>
      at === null
        ? null
        : Buffer.from(JSON.stringify([list, z.encode(position, at)])).toString("base64url"),
  };
}

/** Undefined when the text is not JSON in base64url. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
