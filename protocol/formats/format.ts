import { ProtocolError } from "../errors.ts";

/** A way to write a soul down. A format is one file with one object of this shape, listed in `index.ts`. */
export interface SourceFormat {
  /** The name callers give as `sourceFormat`. */
  readonly name: string;
  /**
   * What the text says of a soul, in the shape of a CCSF document. It may leave out anything that {@link parseSource} can
   * fill in or normalising can default, and is not normalised yet.
   * @throws ProtocolError when the text is not of this format.
   */
  readonly parse: (text: string) => unknown;
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
