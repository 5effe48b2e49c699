import type { Content, SignedItem } from "./ans104.ts";

/** Storage of signed items. Every driver stores the same bytes. */
export interface StorageDriver {
  /** Its name in `GET /v1/status`. */
  readonly name: string;
  /**
   * Stores `item`, and resolves when it is stored for good; repeating it changes nothing.
   *
   * @throws when the item may not be stored.
   */
  store(item: SignedItem): Promise<void>;
  /**
   * The service's own copy of an item, unchecked; null without one, or when storing it was not
   * finished.
   */
  read(id: string): Promise<SignedItem | null>;
}

/** Where stored items are read. */
export interface StorageReads {
  /**
   * The content stored under `id`, checked; null when nothing is stored.
   *
   * @throws InvalidItemError when only altered copies are left.
   * @throws ApiError STORAGE_UNAVAILABLE when no source that may have it answers.
   */
  read(id: string): Promise<Content | null>;
  /**
   * The signed item, for callers that verify it themselves; null without one. Throws as `read`
   * does.
   */
  readItem(id: string): Promise<Buffer | null>;
}
