import { readsBesideDatabase } from "../../kernel/database-alone.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Content, ItemSigner } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import type { StorageDriver, StorageReads } from "./driver.ts";

/** Permanent storage as the services use it. */
export interface PermanentStorage extends StorageReads {
  readonly driver: string;
  /** Address that signs every item. */
  readonly signer: ItemSigner["address"];
  /**
   * Signs and stores `content`, and returns its id once it is stored. The same content always has
   * the same id.
   *
   * @throws ApiError STORAGE_UNAVAILABLE for any failure: then no record may name the id.
   */
  archive(content: Content): Promise<string>;
  /** The id that `archive` will give for `content`; stores nothing. */
  idOf(content: Content): Promise<string>;
}

/** @param reads Default: the driver's own copies and nothing else. */
export function createPermanentStorage(
  signer: ItemSigner,
  driver: StorageDriver,
  reads: StorageReads = ownCopies(driver),
): PermanentStorage {
  return {
    driver: driver.name,
    signer: signer.address,

    async archive(content) {
      const item = await signer.sign(content);
      await driver.store(item).catch((cause: unknown) => {
        throw new ApiError("STORAGE_UNAVAILABLE", { cause });
      });
      return item.id;
    },

    idOf: async (content) => (await signer.sign(content)).id,

    read: (id) => sameForEver(reads.read(id)),
    readItem: (id) => sameForEver(reads.readItem(id)),
  };
}

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
