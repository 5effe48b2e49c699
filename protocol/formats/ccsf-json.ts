import { CCSF_LIMITS } from "../ccsf.ts";
import { parseJsonStrict } from "../json.ts";
import type { SourceFormat } from "./format.ts";

/** The document itself, as JSON. */
export const ccsfJson: SourceFormat = {
  name: "ccsf_json",
  parse: (text) => ({
    document: parseJsonStrict(text, { maxDepth: CCSF_LIMITS.depth, maxBytes: CCSF_LIMITS.bytes }),
  }),
};
