import type { Hex } from "viem";
import {
  ALIGNMENT_DOCUMENT_BYTES,
  type AlignmentDocument,
  parseAlignmentDocument,
} from "../../protocol/alignment/index.ts";
import { alignmentRegistryAbi } from "../../protocol/generated/abi.ts";
import { archiveIdOf, storageIdOf } from "../../protocol/storage-id.ts";
import { dataItemId, openSignedItem } from "../did/data-item.ts";
import { readSignedItem } from "../did/gateways.ts";
import type { AlignmentClient } from "./client.ts";
import { logReader, topicOf } from "./logs.ts";

/** An item also has a signature, a public key and tags. */
const MAX_BYTES = ALIGNMENT_DOCUMENT_BYTES + 64 * 1024;
const TIMEOUT_MS = 30_000;

/** Where a snapshot's archive item is read. */
export type SnapshotSource =
  | { readonly item: Uint8Array }
  /** URLs of whole signed items, with `{id}` where the id belongs. They need not be trusted. */
  | { readonly gateways: readonly string[] };

/** A score as the alignment registry recorded it. */
export interface RecordedScore {
  readonly archiveId: Hex;
  readonly epoch: number;
  readonly score: number;
  readonly blockNumber: bigint;
  readonly transactionHash: Hex;
  /** The block in which it was recorded. */
  readonly recordedIn: bigint;
}

/** The scores of an agent that are recorded on chain, oldest first. */
export async function readRecordedScores(
  client: AlignmentClient,
  { alignmentRegistry, startBlock }: { alignmentRegistry: Hex; startBlock: bigint },
  tokenId: bigint,
): Promise<RecordedScore[]> {
  const latest = await client.getBlockNumber({ cacheTime: 0 });
  const events = await logReader(client, latest).read({
    address: alignmentRegistry,
    abi: alignmentRegistryAbi,
    events: ["AlignmentRecorded"],
    topics: [topicOf(tokenId)],
    fromBlock: startBlock,
  });
  return events.map(({ args, transactionHash, blockNumber }) => ({
    ...args,
    transactionHash,
    recordedIn: blockNumber,
  }));
}

/** A snapshot whose item's signature and id were checked. */
export interface OpenedSnapshot {
  readonly id: string;
  readonly signer: Hex;
  readonly document: AlignmentDocument;
}

/**
 * The snapshot of a source; from gateways the last one recorded.
 *
 * @throws UntrueItemError, InvalidAlignmentDocumentError, StorageUnavailableError
 */
export async function openSnapshot(
  source: SnapshotSource,
  last: RecordedScore | null,
): Promise<OpenedSnapshot | null> {
  if ("item" in source) {
    const id = await dataItemId(source.item);
    const { data, signer } = await openSignedItem(id, source.item);
    return { id, signer, document: parseAlignmentDocument(data) };
  }
  if (last === null) return null;
  const id = storageIdOf(last.archiveId);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const { data, signer } = await readSignedItem(id, source.gateways, limits);
  return { id, signer, document: parseAlignmentDocument(data) };
}

/**
 * The record of a snapshot; null for a snapshot that was not recorded. The last one, because an
 * item can be recorded again with another score.
 */
export function recordOf(
  { id }: OpenedSnapshot,
  recorded: readonly RecordedScore[],
): RecordedScore | null {
  const archiveId = archiveIdOf(id);
  return recorded.findLast((record) => record.archiveId === archiveId) ?? null;
}
