import { sha256 } from "viem";
import { utf8 } from "../bytes.ts";
import { type Ccsf, normaliseCcsf } from "../ccsf.ts";
import { ProtocolError } from "../errors.ts";
import { isPlainObject } from "../json.ts";
import { a2aAgentCard } from "./a2a-agent-card.ts";
import { ccsfJson } from "./ccsf-json.ts";
import { ccsfYaml } from "./ccsf-yaml.ts";
import { characterJson } from "./character-json.ts";
import type { SourceFormat } from "./format.ts";
import { plaintext } from "./plaintext.ts";
import { soulMd } from "./soul-md.ts";

export { InvalidSourceError, type SourceFormat } from "./format.ts";

const FORMATS: readonly SourceFormat[] = [
  plaintext,
  soulMd,
  ccsfYaml,
  ccsfJson,
  a2aAgentCard,
  characterJson,
];

/** Names of the formats that {@link parseSource} reads. */
export const SOURCE_FORMATS: readonly string[] = FORMATS.map(({ name }) => name);

/** No format has this name. */
export class UnknownFormatError extends ProtocolError {
  override readonly name = "UnknownFormatError";
  readonly code = "unknown_format";
  readonly accepted = SOURCE_FORMATS;

  constructor(readonly format: string) {
    super(`A source format is one of: ${SOURCE_FORMATS.join(", ")}.`);
  }
}

/** What is known of an agent beside its source text, for what the text leaves out. */
export interface IdentityDefaults {
  name?: string;
  agent_type?: string | number;
  description?: string;
}

/**
 * Reads a soul written in `format` and normalises it. What the text says wins over `defaults`.
 * @throws UnknownFormatError; InvalidCcsfError, InvalidAgentTypeError, InvalidJsonError and the format's own errors.
 */
export function parseSource(format: string, text: string, defaults: IdentityDefaults = {}): Ccsf {
  const found = FORMATS.find(({ name }) => name === format);
  if (!found) throw new UnknownFormatError(format);
  return normaliseCcsf(withDefaults(found.parse(text), defaults));
}

/** A wrong shape passes through untouched: normalising refuses it with its path. */
function withDefaults(draft: unknown, defaults: IdentityDefaults): unknown {
  if (!isPlainObject(draft)) return draft;
  const { identity = {} } = draft;
  if (!isPlainObject(identity)) return draft;
  return { ...draft, identity: { ...defaults, ...identity } };
}

/** SHA-256 of a source text's UTF-8 form: the `sourceHash` that says which text a soul was made from. */
export function sourceHash(text: string): `0x${string}` {
  return sha256(utf8(text));
}
