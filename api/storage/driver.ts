import type { SignedItem } from "./ans104.ts";

/** Where signed items are kept. Every driver keeps the same items, byte for byte. */
export interface StorageDriver {
  /** Its name in `GET /v1/status`. */
  readonly name: string;
  /**
   * Keeps `item`; doing it again changes nothing.
   *
   * @throws ApiError STORAGE_UNAVAILABLE when the item may not be kept.
   */
  store(item: SignedItem): Promise<void>;
  /** The item as it was stored, unchecked; null when there is none. */
  read(id: string): Promise<SignedItem | null>;
}
