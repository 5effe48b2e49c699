/** What the reference hands to its script of an operation that can be tried: a read. */
export interface TryData {
  readonly operationId: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly needsCredential: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query";
    readonly required: boolean;
    readonly example: string;
  }[];
}
