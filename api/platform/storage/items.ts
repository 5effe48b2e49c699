import type { Content, SignedItem } from "./ans104.ts";

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

/** The service's own copies of items, and the state of their uploads. Every method is atomic. */
export interface StorageItems {
  /** Stores an item that needs no upload. An existing item is never replaced. */
  keep(item: SignedItem, content: Content): Promise<void>;
  /** Stores an item before its upload, and returns whether it must still be uploaded. */
  keepForUpload(item: SignedItem, content: Content): Promise<"unacknowledged" | "acknowledged">;
  /** Records the start of an attempt. Resolves to the outcome of earlier attempts. */
  begin(id: string): Promise<EarlierTries>;
  /** Records a failed attempt. One that cannot have stored anything does not count. */
  failed(id: string, failure: TryFailure): Promise<void>;
  /** Records that the bundler has the item. */
  acknowledged(id: string, receipt: object): Promise<void>;
  /** Records that a gateway serves the intact item. */
  seen(id: string): Promise<void>;
  /** Records that no gateway serves it yet: a later round checks again. */
  notSeen(id: string): Promise<void>;
  /**
   * Claims ids for a limited time: of due uploads with an unknown result, and of due items that
   * exist only here.
   */
  claimUnsettled(limit: number): Promise<readonly string[]>;
  /**
   * The same for acknowledged items that no gateway has served, with the time of the last upload.
   */
  claimUnseen(limit: number): Promise<readonly { readonly id: string; readonly since: Date }[]>;
  /**
   * Ids of items of the embedded driver that were never claimed, oldest first. Each is claimed
   * once. Afterwards it waits among the unsettled uploads, so that refused items do not delay
   * others.
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
  /** Replaces damaged bytes with intact ones. */
  replace(item: SignedItem, content: Content): Promise<void>;
  /** Every item, in the order of ids, a page in memory at a time. */
  states(): AsyncIterable<ItemState>;
  count(): Promise<number>;
  /** Started uploads with an unknown result. */
  countUnsettled(): Promise<number>;
}
