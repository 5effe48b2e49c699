import type { SourceFormat } from "./format.ts";

/** A system prompt as it is: all of it is the purpose. Name and type come from elsewhere. */
export const plaintext: SourceFormat = {
  name: "plaintext",
  parse: (text) => ({ document: { soul: { purpose: text } } }),
};
