import { readsBesideDatabase } from "../../kernel/database-alone.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Content, ItemSigner, SignedItem } from "./ans104.ts";
import { openItem } from "./ans104.ts";

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

/**
 * Permanent storage as the services use it.
 *
 * @param reads Default: the driver's own copies and nothing else.
 */
export function createPermanentStorage(
  signer: ItemSigner,
  driver: StorageDriver,
  reads: StorageReads = ownCopies(driver),
) {
  return {
    driver: driver.name,
    /** Address that signs every item. */
    signer: signer.address,

    /**
     * Signs and stores `content`, and returns its id once it is stored. The same content always has
     * the same id.
     *
     * @throws ApiError STORAGE_UNAVAILABLE for any failure: then no record may name the id.
     */
    async archive(content: Content): Promise<string> {
      const item = await signer.sign(content);
      await driver.store(item).catch((cause: unknown) => {
        throw new ApiError("STORAGE_UNAVAILABLE", { cause });
      });
      return item.id;
    },

    /** The id that `archive` will give for `content`; stores nothing. */
    idOf: async (content: Content) => (await signer.sign(content)).id,

    /** As {@link StorageReads}. */
    read: (id: string) => sameForEver(reads.read(id)),
    readItem: (id: string) => sameForEver(reads.readItem(id)),
  };
}

export type PermanentStorage = ReturnType<typeof createPermanentStorage>;

/** What an id names never changes, and is verified against it. Only whether it is there now may change. */
async function sameForEver<Item>(reading: Promise<Item | null>): Promise<Item | null> {
  const item = await reading.catch((error: unknown) => {
    readsBesideDatabase();
    throw error;
  });
  if (item === null) readsBesideDatabase();
  return item;
}

function ownCopies(driver: StorageDriver): StorageReads {
  return {
    async read(id) {
      const item = await driver.read(id);
      return item === null ? null : openItem(item);
    },
    readItem: async (id) => (await driver.read(id))?.bytes ?? null,
  };
}
