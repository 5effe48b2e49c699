import { ProtocolError } from "../errors.ts";

/** The facts do not describe one agent at one moment. */
export class InvalidAlignmentFactsError extends ProtocolError {
  override readonly name = "InvalidAlignmentFactsError";
  readonly code = "invalid_alignment_facts";
}

/** The text is not a snapshot document. */
export class InvalidAlignmentDocumentError extends ProtocolError {
  override readonly name = "InvalidAlignmentDocumentError";
  readonly code = "invalid_alignment_document";

  constructor(reason: string) {
    super(`This is not an alignment snapshot: ${reason}.`);
  }
}
