import { ProtocolError } from "../errors.ts";

/**
 * A source format for souls. Each format is one file with one object of this shape, listed in
 * `index.ts`.
 */
export interface SourceFormat {
  /** The name that callers send as `sourceFormat`. */
  readonly name: string;
  /** @throws ProtocolError when the text is not in this format. */
  readonly parse: (text: string) => SourceDraft;
}

/** What a text says about a soul, before normalising. */
export interface SourceDraft {
  /**
   * In the shape of a CCSF document. Members may be absent when {@link parseSource} or normalising
   * fills them in. Members that are present win over the caller's defaults.
   */
  readonly document: unknown;
  /** Title of the text: the soul's name when the caller gives none. */
  readonly title?: string | undefined;
  /** For members that neither the text nor the caller states. */
  readonly defaults?: IdentityDefaults | undefined;
}

/** What the caller knows about an agent, for members that the source text leaves out. */
export interface IdentityDefaults {
  name?: string;
  agent_type?: string | number;
  description?: string;
}

/** The text is not in its format. `line` counts from 1; null for the whole text. */
export class InvalidSourceError extends ProtocolError {
  override readonly name = "InvalidSourceError";
  readonly code = "invalid_source";

  constructor(
    readonly format: string,
    readonly line: number | null,
    readonly problem: string,
  ) {
    super(line === null ? `The text ${problem}.` : `Line ${line} ${problem}.`);
  }
}
