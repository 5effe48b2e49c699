/** Facts about an item of this service, for when its bytes are damaged. */
export interface ItemFacts {
  /** SHA-256 of the data alone. */
  readonly dataHash: Buffer;
  readonly contentType: string;
}

/** Why an upload failed. The first four need an operator; the others are transient. */
export const UPLOAD_FAILURES = [
  /** The account that pays at the bundler is empty. */
  "out_of_balance",
  /** The bundler refuses it: a wrong path, a blocked key, a malformed item. */
  "refused",
  "too_large",
  /** It was acknowledged under another id, or without a valid receipt. */
  "wrong_answer",
  /** Too many uploads in a short time. */
  "throttled",
  /** No connection could be made. */
  "unreachable",
  /** An outage: no answer in time, a broken connection, a failure on the bundler's side. */
  "unavailable",
] as const;

export type UploadFailure = (typeof UPLOAD_FAILURES)[number];

/** A failed attempt. */
export interface TryFailure {
  readonly failure: UploadFailure;
  readonly message: string;
  /** `unknown`: the bundler may have the item. */
  readonly outcome: "not_stored" | "unknown";
}

/**
 * Whether the bundler may have an item from an earlier attempt. `none` also after a wrong answer:
 * its sender may not be the bundler, and a second wrong answer must not count as right.
 */
export type EarlierTries = "none" | "open";

/** The state of an item; see docs/storage.md. */
export type UploadStage = "only_here" | "kept" | "uploading" | "acknowledged" | "seen";

/** An item and its upload, as an audit sees it. */
export interface ItemState {
  readonly id: string;
  readonly stage: UploadStage;
  readonly createdAt: Date;
  /** Time of the last change of its upload; of an acknowledged one, of the last attempt. */
  readonly touchedAt: Date;
  /** When the bundler first acknowledged it. */
  readonly acknowledgedAt: Date | null;
  readonly lastFailure: UploadFailure | null;
  readonly lastMessage: string | null;
}
