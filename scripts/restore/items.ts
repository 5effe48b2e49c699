import { DOCUMENT_FORMATS, documentMediaType } from "../../api/features/documents/formats.ts";
import type { Content, ItemSigner, SignedItem } from "../../api/platform/storage/ans104.ts";
import { InvalidItemError, openItem } from "../../api/platform/storage/ans104.ts";
import type { Gateway } from "../../api/platform/storage/gateways.ts";
import type { StorageItems } from "../../api/platform/storage/items.store.ts";
import type { StorageReads } from "../../api/platform/storage/permanent.ts";

/** The largest item of this service, a batch's list, is smaller. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What the service stores. A gateway that serves data alone does not say which of them it is. */
const CONTENT_TYPES = new Set([
  "application/json",
  "image/svg+xml",
  ...DOCUMENT_FORMATS.flatMap((format) => documentMediaType(format) ?? []),
]);

export interface ItemSources {
  readonly items: StorageItems;
  readonly gateways: readonly Gateway[];
  /** Reads whole items from gateways, also out of a bundle. */
  readonly reader: Pick<StorageReads, "readItem">;
  readonly signer: ItemSigner;
  /** Whether items are at a bundler, which must not be asked to take them again. */
  readonly isUploaded: boolean;
}

/** How far the copies of items are rebuilt. */
export interface ItemCounts {
  /** Ids that must exist: the chain, or a record of the service, names them. */
  readonly required: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
  readonly added: number;
  /** Copies that are altered, and that no gateway has intact. */
  readonly altered: ReadonlySet<string>;
}

export type RebuiltItems = ReturnType<typeof rebuiltItems>;

/** The service's copies of items, each fetched once where it is missing. */
export function rebuiltItems({ items, gateways, reader, signer, isUploaded }: ItemSources) {
  const required = new Set<string>();
  const present = new Set<string>();
  const altered = new Set<string>();
  let added = 0;

  async function copy(id: string): Promise<Content | null> {
    const item = await items.readAny(id);
    if (item === null) return null;
    try {
      return await openItem(item);
    } catch (error) {
      if (!(error instanceof InvalidItemError)) throw error;
      altered.add(id);
      return null;
    }
  }

  async function fetched(id: string): Promise<SignedItem | null> {
    for (const gateway of gateways) {
      const answer = await gateway.read(id, { maxBytes: MAX_BYTES }).catch(() => null);
      if (answer === null) continue;
      const item = { id, bytes: answer.bytes };
      if (await isIntact(item)) return item;
      for (const contentType of CONTENT_TYPES) {
        const signed = await signer.sign({ data: answer.bytes, contentType });
        if (signed.id === id) return signed;
      }
    }
    const bytes = await reader.readItem(id).catch(() => null);
    return bytes === null ? null : { id, bytes };
  }

  /** The copy of an item that a gateway has, as after its upload. */
  async function add(item: SignedItem, content: Content): Promise<void> {
    if (!isUploaded) return items.keep(item, content);
    await items.keepForUpload(item, content);
    await items.begin(item.id);
    await items.acknowledged(item.id, { restored: true });
    await items.seen(item.id);
  }

  return {
    /**
     * The content of an item. A missing one is fetched and stored.
     *
     * @param isRequired Whether it must exist. Of others, only the service's own are stored.
     */
    async content(id: string, isRequired: boolean): Promise<Content | null> {
      if (isRequired) required.add(id);
      const own = await copy(id);
      if (own !== null) {
        present.add(id);
        return own;
      }
      if (altered.has(id)) return null;
      const item = await fetched(id);
      if (item === null) return null;
      const content = await openItem(item);
      if (!isRequired && (await signer.sign(content)).id !== id) return content;
      await add(item, content);
      present.add(id);
      added += 1;
      return content;
    },

    counts: (): ItemCounts => ({ required, present, added, altered }),
  };
}

async function isIntact(item: SignedItem): Promise<boolean> {
  return openItem(item).then(
    () => true,
    () => false,
  );
}
