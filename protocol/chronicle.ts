import { bytesToHex, encodeAbiParameters, type Hex, keccak256, sha256, stringToHex } from "viem";
import { concatBytes, hashBytes, isHash, utf8 } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";
import { canonicalJson } from "./json.ts";

/**
 * Format tag of a chronicle's public record; bump it when a field is added to it or changes its
 * meaning.
 */
export const CHRONICLE_FORMAT = "svc-chronicle/1";

/** Format tag of the archived list of a batch's leaves: see {@link BatchListHeader}. */
export const CHRONICLE_BATCH_FORMAT = "svc-chronicle-batch/1";

/** What a chronicle is about. */
export const CHRONICLE_CATEGORIES = [
  "technical",
  "certification",
  "achievement",
  "experience",
  "endorsement",
  "document",
  "other",
] as const;

export type ChronicleCategory = (typeof CHRONICLE_CATEGORIES)[number];

/** Change types that need the owner's signature, because the registry executes them. */
export const MANDATORY_CHANGE_TYPES = ["soul_revision", "operator_change"] as const;

/** Form of a change type. */
export const CHANGE_TYPE_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

/** The content of one leaf of the tree. */
export interface ChronicleLeafInput {
  readonly tokenId: bigint;
  /** Counts per token, from 1. */
  readonly chronicleId: bigint;
  readonly category: string;
  readonly changeType: string;
  /** SHA-256 of the public record's bytes. */
  readonly contentHash: Hex;
  /** When it was recorded: Unix seconds, rounded down. */
  readonly timestamp: bigint;
}

/** These leaves do not form a tree. */
export class InvalidBatchLeavesError extends ProtocolError {
  override readonly name = "InvalidBatchLeavesError";
  readonly code = "invalid_batch_leaves";
}

/**
 * The public content of a chronicle. Id and time are in the leaf: they do not exist when the owner
 * signs.
 */
export interface ChronicleRecord {
  readonly chainId: number;
  readonly soulRegistry: Hex;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly category: ChronicleCategory;
  readonly changeType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The bytes of a chronicle's public record, as they are archived: canonical JSON (RFC 8785) in
 * UTF-8.
 */
export function chronicleRecordBytes(record: ChronicleRecord): Uint8Array {
  return utf8(
    canonicalJson({
      format: CHRONICLE_FORMAT,
      chainId: record.chainId,
      soulRegistry: record.soulRegistry,
      tokenId: record.tokenId.toString(),
      epoch: record.epoch,
      category: record.category,
      changeType: record.changeType,
      data: record.data,
    }),
  );
}

/**
 * SHA-256 of an archived record: the `contentHash` of its leaf, and the `dataHash` that an owner
 * signs.
 */
export function chronicleContentHash(recordBytes: Uint8Array): Hex {
  return sha256(recordBytes);
}

/**
 * What the owner signs as `dataHash` of an operator change: keccak256 of the address's 20 bytes.
 */
export function operatorChangeHash(operator: Hex): Hex {
  return keccak256(operator);
}

/**
 * The leaf of one chronicle, as `ChronicleAnchor.chronicleLeaf` computes it. It is hashed twice, so
 * that an inner node is never valid as a leaf.
 */
export function chronicleLeaf(input: ChronicleLeafInput): Hex {
  const payload = encodeAbiParameters(LEAF_PARAMETERS, [
    input.tokenId,
    input.chronicleId,
    keccak256(stringToHex(input.category)),
    keccak256(stringToHex(input.changeType)),
    input.contentHash,
    input.timestamp,
  ]);
  return keccak256(keccak256(payload));
}

const LEAF_PARAMETERS = [
  { type: "uint256" },
  { type: "uint256" },
  { type: "bytes32" },
  { type: "bytes32" },
  { type: "bytes32" },
  { type: "uint256" },
] as const;

const HASH_BYTES = 32;

/**
 * The tree of a batch: the nodes of an OpenZeppelin standard tree, root first, in one block of
 * memory, because a batch may have a hundred thousand leaves.
 */
export interface ChronicleTree {
  readonly root: Hex;
  readonly leafCount: number;
  /** The leaf at `position`; leaves stand in ascending order of their bytes. */
  leaf(position: number): Hex;
  /** The siblings from the leaf at `position` to the root. */
  proof(position: number): Hex[];
  /** The proof as concatenated bytes: the compact form for batches of a hundred thousand leaves. */
  proofBytes(position: number): Uint8Array;
}

/**
 * Builds the tree over `leaves`: their 32 bytes concatenated, in any order. They are sorted in
 * place.
 *
 * @throws InvalidBatchLeavesError when there is no leaf, a partial leaf, or a leaf that occurs
 * twice.
 */
export function buildChronicleTree(leaves: Uint8Array): ChronicleTree {
  const count = leaves.length / HASH_BYTES;
  if (count === 0 || !Number.isInteger(count)) {
    throw new InvalidBatchLeavesError("A batch has at least one leaf, of 32 bytes each.");
  }
  const sorted = sortedLeaves(leaves, count);
  const size = 2 * count - 1;
  const nodes = new Uint8Array(size * HASH_BYTES);
  const node = (index: number) => nodes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  // OpenZeppelin's trees store the first leaf last.
  for (let position = 0; position < count; position += 1) {
    node(size - 1 - position).set(
      sorted.subarray(position * HASH_BYTES, (position + 1) * HASH_BYTES),
    );
  }
  for (let index = size - 1 - count; index >= 0; index -= 1) {
    node(index).set(nodeHash(node(2 * index + 1), node(2 * index + 2)));
  }

  const place = (position: number) => {
    if (!Number.isInteger(position) || position < 0 || position >= count) {
      throw new InvalidBatchLeavesError(`There is no leaf ${position} among ${count}.`);
    }
    return size - 1 - position;
  };
  const siblings = (position: number) => {
    const found: Uint8Array[] = [];
    for (let index = place(position); index > 0; index = (index - 1) >> 1) {
      found.push(node(index % 2 === 0 ? index - 1 : index + 1));
    }
    return found;
  };
  return {
    root: bytesToHex(node(0)),
    leafCount: count,
    leaf: (position) => bytesToHex(node(place(position))),
    proof: (position) => siblings(position).map((sibling) => bytesToHex(sibling)),
    proofBytes: (position) => concatBytes(...siblings(position)),
  };
}

/**
 * The root computed from `leaf` and `proof`, to compare with a batch's root. Null when the proof is
 * malformed. Pass a leaf from {@link chronicleLeaf}: any other 32-byte value could be an inner
 * node.
 */
export function chronicleRootOf(leaf: Hex, proof: readonly unknown[]): Hex | null {
  if (!isHash(leaf)) return null;
  let node = hashBytes(leaf);
  for (const sibling of proof) {
    if (!isHash(sibling)) return null;
    node = nodeHash(node, hashBytes(sibling));
  }
  return bytesToHex(node);
}

/** The smaller of the two comes first, so that a proof needs no directions. */
function nodeHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  return keccak256(compare(a, b) <= 0 ? concatBytes(a, b) : concatBytes(b, a), "bytes");
}

function compare(a: Uint8Array, b: Uint8Array): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function sortedLeaves(leaves: Uint8Array, count: number): Uint8Array {
  const leafAt = (index: number) => leaves.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => compare(leafAt(a), leafAt(b)));
  const sorted = new Uint8Array(leaves.length);
  for (const [position, index] of order.entries()) {
    sorted.set(leafAt(index), position * HASH_BYTES);
    const before = order[position - 1];
    if (before !== undefined && compare(leafAt(before), leafAt(index)) === 0) {
      throw new InvalidBatchLeavesError(`The leaf ${bytesToHex(leafAt(index))} occurs twice.`);
    }
  }
  leaves.set(sorted);
  return leaves;
}

/** The header of a batch's archived leaf list. */
export interface BatchListHeader {
  readonly chainId: number;
  readonly chronicleAnchor: Hex;
  readonly batchId: bigint;
  /** Zero for batch 1. */
  readonly previousRoot: Hex;
  readonly leafCount: number;
}

/** One chronicle in the archived list of its batch. */
export interface BatchListEntry {
  readonly leaf: Hex;
  readonly tokenId: bigint;
  readonly chronicleId: bigint;
  /** Where its public record is archived. */
  readonly archiveId: string;
}

/**
 * The archived leaf list of a batch, piece by piece: one JSON object `{format, chainId,
 * chronicleAnchor, batchId, previousRoot, leafCount, leaves: [[leaf, tokenId, chronicleId,
 * archiveId], ...]}`. The leaves suffice to rebuild the root, and the archive ids to read every
 * record. Entries are in ascending order of their leaves.
 */
export const batchList = {
  head: ({ chainId, chronicleAnchor, batchId, previousRoot, leafCount }: BatchListHeader): string =>
    `${JSON.stringify({
      format: CHRONICLE_BATCH_FORMAT,
      chainId,
      chronicleAnchor,
      batchId: batchId.toString(),
      previousRoot,
      leafCount,
    }).slice(0, -1)},"leaves":[`,
  entry: ({ leaf, tokenId, chronicleId, archiveId }: BatchListEntry): string =>
    JSON.stringify([leaf, tokenId.toString(), chronicleId.toString(), archiveId]),
  separator: ",\n",
  tail: "]}\n",
} as const;
