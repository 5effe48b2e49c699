import { ProtocolError } from "../errors.ts";

/** A way to write a soul down. A format is one file with one object of this shape, listed in `index.ts`. */
export interface SourceFormat {
  /** The name callers give as `sourceFormat`. */
  readonly name: string;
  /** @throws ProtocolError when the text is not of this format. */
  readonly parse: (text: string) => SourceDraft;
}

/** What a text says of a soul, not normalised yet. */
export interface SourceDraft {
  /**
   * In the shape of a CCSF document. It may leave out anything that {@link parseSource} can fill in or normalising can default.
   * What stands here wins over what the caller knows.
   */
  readonly document: unknown;
  /** What the text is called. It names the soul only where the caller does not. */
  readonly title?: string | undefined;
  /** For what neither the text states nor the caller knows. */
  readonly defaults?: IdentityDefaults | undefined;
}

/** What is known of an agent beside its source text, for what the text leaves out. */
export interface IdentityDefaults {
  name?: string;
  agent_type?: string | number;
  description?: string;
}

/** The text is not of its format. `line` counts from 1; null when the whole is meant. */
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
