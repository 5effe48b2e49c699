/** A committed file that is derived from other sources. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}
