import { LRUCache } from "lru-cache";
import { type Address, type Hex, zeroHash } from "viem";
import {
  type DidRecord,
  InvalidDidRecordError,
  parseDidRecord,
  storageIdOf,
} from "../../../protocol/index.ts";
import { storedContent } from "../../platform/storage/stored-content.ts";

/** The archived part of a DID document, and where it is stored. */
export interface ArchivedDidRecord {
  readonly id: string;
  readonly record: DidRecord;
}

/** A soul, and what the registry names as its DID archive. */
export interface DidArchiveHolder {
  readonly name: string;
  readonly tokenId: bigint;
  readonly epoch: number;
  /** Null or zero for none. */
  readonly didArchiveId: Hex | null;
}

export type DidRecords = ReturnType<typeof createDidRecords>;

/** How many archived records are remembered: one is a few kilobytes at most. An id names one content for ever, so none is ever old. */
const REMEMBERED = 5_000;

/**
 * What owners have added to their agents' DID documents.
 *
 * @param stored What permanent storage holds, checked against its id; null for nothing.
 */
export function createDidRecords({
  chainId,
  soulRegistry,
  stored,
}: {
  readonly chainId: number;
  readonly soulRegistry: Address;
  readonly stored: (id: string) => Promise<{ readonly data: Uint8Array } | null>;
}) {
  const known = new LRUCache<string, { readonly archived: ArchivedDidRecord | null }>({
    max: REMEMBERED,
  });
  return {
    /**
     * The record in force in the soul's epoch; null for none, and for an archive that is no record of this soul: an owner can have
     * anything named there, and only its own document is the shorter for it.
     *
     * @throws ApiError STORAGE_UNAVAILABLE
     */
    async of(soul: DidArchiveHolder): Promise<ArchivedDidRecord | null> {
      const { name, tokenId, epoch, didArchiveId } = soul;
      if (didArchiveId === null || didArchiveId === zeroHash) return null;
      const id = storageIdOf(didArchiveId);
      // Whether it is this soul's record is part of what is remembered.
      const key = `${id} ${tokenId} ${epoch}`;
      const hit = known.get(key);
      if (hit !== undefined) return hit.archived;

      const item = await storedContent(stored, id, { didArchive: `ar://${id}` });
      const record = recordIn(item.data, { chainId, soulRegistry, name, tokenId, epoch });
      const archived = record === null ? null : { id, record };
      known.set(key, { archived });
      return archived;
    },
  };
}

function recordIn(
  data: Uint8Array,
  subject: Parameters<typeof parseDidRecord>[1],
): DidRecord | null {
  try {
    return parseDidRecord(new TextDecoder().decode(data), subject);
  } catch (error) {
    if (error instanceof InvalidDidRecordError) return null;
    throw error;
  }
}
