import type { SourceFormat } from "./format.ts";

/** A system prompt, unchanged: the whole text is the purpose. The caller gives name and type. */
export const plaintext: SourceFormat = {
  name: "plaintext",
  parse: (text) => ({ document: { soul: { purpose: text } } }),
};
