import { ApiError } from "../errors.ts";
import type { Content, ItemSigner } from "./ans104.ts";
import { openItem } from "./ans104.ts";
import type { StorageDriver } from "./driver.ts";

/** Permanent storage as the services use it. */
export interface PermanentStorage {
  readonly driver: string;
  /** Address that signs every item. */
  readonly signer: ItemSigner["address"];
  /**
   * Signs and keeps `content`, and gives its id; the same content always has the same.
   *
   * @throws ApiError STORAGE_UNAVAILABLE
   */
  archive(content: Content): Promise<string>;
  /** The id that `archive` gives `content`, without storing it: what an owner signs names content before it is there. */
  idOf(content: Content): Promise<string>;
  /**
   * What was stored under `id`, checked against it; null when there is nothing.
   *
   * @throws InvalidItemError when what is kept is not what was stored.
   */
  read(id: string): Promise<Content | null>;
  /** The signed item itself, for whoever checks it alone; null when there is none. */
  readItem(id: string): Promise<Buffer | null>;
}

export function createPermanentStorage(
  signer: ItemSigner,
  driver: StorageDriver,
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

    async read(id) {
      const item = await driver.read(id);
      return item === null ? null : openItem(item);
    },

    async readItem(id) {
      return (await driver.read(id))?.bytes ?? null;
    },
  };
}
