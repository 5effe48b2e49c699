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
