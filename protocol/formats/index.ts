import { sha256 } from "viem";
import { utf8 } from "../bytes.ts";
import { type Ccsf, normaliseCcsf } from "../ccsf.ts";
import { ProtocolError } from "../errors.ts";
import type { Field } from "../fields.ts";
import { isPlainObject } from "../json.ts";
import { a2aAgentCard } from "./a2a-agent-card.ts";
import { ccsfJson } from "./ccsf-json.ts";
import { ccsfYaml } from "./ccsf-yaml.ts";
import { characterJson } from "./character-json.ts";
import type { IdentityDefaults, SourceFormat } from "./format.ts";
import { plaintext } from "./plaintext.ts";
import { soulMd } from "./soul-md.ts";

export {
  type IdentityDefaults,
  InvalidSourceError,
  type SourceDraft,
  type SourceFormat,
} from "./format.ts";

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

/** A soul, and which of its fields come from the format's defaults. */
export interface ReadSource {
  readonly ccsf: Ccsf;
  readonly defaulted: readonly Field[];
}

/**
 * Reads a soul written in `format` and normalises it. What the text states wins over `defaults`;
 * `defaults` win over a mere title (a first heading, the name of an agent card or character).
 * @throws UnknownFormatError; InvalidCcsfError, InvalidAgentTypeError, InvalidJsonError and the
 * format's own errors.
 */
export function parseSource(format: string, text: string, defaults: IdentityDefaults = {}): Ccsf {
  return readSource(format, text, defaults).ccsf;
}

/** As {@link parseSource}; also reports the fields that the format's defaults supplied. */
export function readSource(
  format: string,
  text: string,
  defaults: IdentityDefaults = {},
): ReadSource {
  const found = FORMATS.find(({ name }) => name === format);
  if (!found) throw new UnknownFormatError(format);
  const draft = found.parse(text);
  const { document } = draft;
  // An object of a wrong shape is passed on unchanged: normalising rejects it with its path.
  const identity = isPlainObject(document) ? (document.identity ?? {}) : null;
  if (!isPlainObject(document) || !isPlainObject(identity)) {
    return { ccsf: normaliseCcsf(document), defaulted: [] };
  }
  const known: Record<string, unknown> = { ...defaults, ...identity };
  if (known.name === undefined && draft.title !== undefined) known.name = draft.title;
  const supplied = SUPPLIED.filter(
    (key) => known[key] === undefined && draft.defaults?.[key] !== undefined,
  );
  for (const key of supplied) known[key] = draft.defaults?.[key];
  return {
    ccsf: normaliseCcsf({ ...document, identity: known }),
    defaulted: supplied.map((key): Field => `identity.${key}`),
  };
}

const SUPPLIED = ["name", "agent_type", "description"] as const;

/** SHA-256 of a source text's UTF-8 form: `sourceHash` names the text that a soul was made from. */
export function sourceHash(text: string): `0x${string}` {
  return sha256(utf8(text));
}
