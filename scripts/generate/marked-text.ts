/** A text has no place for what is generated into it. */
export class MarkedTextError extends Error {
  override readonly name = "MarkedTextError";
}

/** The two lines that a generated part stands between. */
export function marks(source: string): { readonly begin: string; readonly end: string } {
  const mark = (which: string) =>
    `<!-- Written by \`npm run generate\` from ${source}: ${which} -->`;
  return { begin: mark("begin"), end: mark("end") };
}

/**
 * The text with a new generated part. Everything outside the marks stays as it is.
 *
 * @param source What the part is made from, as the marks name it.
 * @throws MarkedTextError when the text does not hold both marks, in this order.
 */
export function withGenerated(text: string, source: string, part: string): string {
  const lines = marks(source);
  const begin = text.indexOf(lines.begin);
  const end = text.indexOf(lines.end);
  if (begin === -1 || end < begin) {
    throw new MarkedTextError(
      `The text needs these two lines, in this order:\n${lines.begin}\n${lines.end}`,
    );
  }
  return `${text.slice(0, begin + lines.begin.length)}\n\n${part}\n\n${text.slice(end)}`;
}
