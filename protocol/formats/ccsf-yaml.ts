import type { SourceFormat } from "./format.ts";
import { readYaml } from "./yaml.ts";

/** The document itself, as YAML. */
export const ccsfYaml: SourceFormat = {
  name: "ccsf_yaml",
  parse: (text) => ({ document: readYaml(text, "ccsf_yaml") }),
};
