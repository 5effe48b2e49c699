import type { Content, SignedItem } from "./ans104.ts";

/** What is known of one of our own items beside its bytes, for when those were damaged. */
export interface ItemFacts {
  /** SHA-256 of the data alone. */
  readonly dataHash: Buffer;
  readonly contentType: string;
}

/** Why an upload failed. The first four wait for an operator, the others may pass by themselves. */
export const UPLOAD_FAILURES = [
  /** The account that pays at the bundler is empty. */
  "out_of_balance",
  /** The bundler does not want it: a wrong path, a blocked key, a malformed item. */
  "refused",
  "too_large",
  /** It was acknowledged under another id, or what came back was no receipt. */
  "wrong_answer",
  /** Too many uploads in a short time. */
  "throttled",
  /** No connection could be made. */
  "unreachable",
  /** An outage: no answer in time, a broken connection, a failure on the bundler's side. */
  "unavailable",
] as const;

export type UploadFailure = (typeof UPLOAD_FAILURES)[number];

/** A try that failed. */
export interface TryFailure {
  readonly failure: UploadFailure;
  readonly message: string;
  /** `unknown`: the bundler may have the item nevertheless. */
  readonly outcome: "not_stored" | "unknown";
}

/**
 * Whether the bundler may have an item from an earlier attempt. `none` also after a wrong answer:
 * its sender may not be the bundler, and a second wrong answer must not count as right.
 */
export type EarlierTries = "none" | "open";

/** How far an item is; docs/storage.md says what follows from each. */
export type UploadStage = "only_here" | "kept" | "uploading" | "acknowledged" | "seen";

/** An item and its upload, as an audit sees it. */
export interface ItemState {
  readonly id: string;
  readonly stage: UploadStage;
  readonly createdAt: Date;
  /**
   * When something last happened to its upload; of an acknowledged one, when it was last handed in.
   */
  readonly touchedAt: Date;
  /** When the bundler first acknowledged it. */
  readonly acknowledgedAt: Date | null;
  readonly lastFailure: UploadFailure | null;
  readonly lastMessage: string | null;
}

/**
 * The service's own copies of items, and the state of their uploads. Every method is one step: it
 * is there afterwards or not.
 */
export interface StorageItems {
  /** Keeps an item that needs no upload. What is kept under an id is never replaced by this. */
  keep(item: SignedItem, content: Content): Promise<void>;
  /** Keeps an item before its upload, and tells whether that is still to be done. */
  keepForUpload(item: SignedItem, content: Content): Promise<"unacknowledged" | "acknowledged">;
  /** A try is about to be made. Resolves to what is known of those before it. */
  begin(id: string): Promise<EarlierTries>;
  /** It failed. When nothing can have been stored, it is as if it had not been made. */
  failed(id: string, failure: TryFailure): Promise<void>;
  /** The bundler has the item. */
  acknowledged(id: string, receipt: object): Promise<void>;
  /** A gateway serves it as it is. */
  seen(id: string): Promise<void>;
  /** None does yet; it is looked for again later. */
  notSeen(id: string): Promise<void>;
  /**
   * Claims, for a while, ids of due uploads without a known end, and of due items that exist only
   * here.
   */
  claimUnsettled(limit: number): Promise<readonly string[]>;
  /**
   * As above, of acknowledged ones that no gateway was seen to serve, with the time when they were
   * last handed in.
   */
  claimUnseen(limit: number): Promise<readonly { readonly id: string; readonly since: Date }[]>;
  /**
   * Ids of items that the embedded driver kept and that were never claimed so, oldest first. Each
   * is claimed once: afterwards it waits for its turn among the unsettled, so that those that are
   * refused hold up no others.
   */
  claimOnlyHere(limit: number): Promise<readonly string[]>;
  /**
   * Deletes items that were never announced, that no bundler can have, and that were not requested
   * since `before`. Resolves to how many.
   */
  forgetNeverSent(before: Date): Promise<number>;
  /** An announced item; unchecked. */
  readAnnounced(id: string): Promise<SignedItem | null>;
  /** An item in any state; unchecked. */
  readAny(id: string): Promise<SignedItem | null>;
  /** Facts of an announced item; null when it is unknown or has none. */
  factsOf(id: string): Promise<ItemFacts | null>;
  /** Puts right bytes in the place of damaged ones. */
  replace(item: SignedItem, content: Content): Promise<void>;
  /** Every item, in the order of ids, a page in memory at a time. */
  states(): AsyncIterable<ItemState>;
  count(): Promise<number>;
  /** Uploads that were begun and have no known end. */
  countUnsettled(): Promise<number>;
}
