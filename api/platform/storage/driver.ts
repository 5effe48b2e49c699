import type { Content, SignedItem } from "./ans104.ts";

/** Where signed items are kept. Every driver keeps the same items, byte for byte. */
export interface StorageDriver {
  /** Its name in `GET /v1/status`. */
  readonly name: string;
  /**
   * Keeps `item`, and resolves when it is kept for good; doing it again changes nothing.
   *
   * @throws when the item may not be kept.
   */
  store(item: SignedItem): Promise<void>;
  /** The service's own copy of an item as it was stored, unchecked; null when there is none, or its storing was not finished. */
  read(id: string): Promise<SignedItem | null>;
}

/** Where stored items are read. */
export interface StorageReads {
  /**
   * What is stored under `id`, checked; null when there is nothing.
   *
   * @throws InvalidItemError when only altered copies are left.
   * @throws ApiError STORAGE_UNAVAILABLE when nobody who may have it answers.
   */
  read(id: string): Promise<Content | null>;
  /** The signed item itself, for whoever checks it alone; null when there is none. Throws as `read` does. */
  readItem(id: string): Promise<Buffer | null>;
}
