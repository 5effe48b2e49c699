import type { Hex } from "viem";
import { chronicleLeaf, chronicleRootOf } from "../../../protocol/index.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { ArchivedClaim } from "../verification/index.ts";

/** A soul by its two hashes. */
export interface SoulHashes {
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
}

/** The results of one agent's audit. */
export interface AuditVerification {
  /** SHA-256 of salt and normalised file is the soul hash on chain. */
  readonly soulHashMatch: boolean;
  /** The file's field tree has the root on chain. */
  readonly merkleRootMatch: boolean;
  /** The archive of the soul on permanent storage has the same two hashes. */
  readonly arweaveArchiveMatch: boolean;
  /** Every anchored chronicle is proved against the chain. */
  readonly allChronicleRecordsValid: boolean;
}

/** A chronicle as the service recorded it. */
export interface AuditedChronicle {
  readonly tokenId: bigint;
  readonly chronicleId: bigint;
  readonly category: string;
  readonly changeType: string;
  readonly contentHash: Hex;
  readonly recordedAt: Date;
  readonly leaf: Hex;
  /** Null for one that is in no batch of this block. */
  readonly batchId: bigint | null;
  readonly proof: readonly Hex[];
  /** Of one that was recorded on chain by itself. */
  readonly txHash: Hex | null;
}

/** What the chain says of chronicles, as of one block. */
export interface ChronicleFacts {
  /** Roots by batch; zero for a batch that the chain does not have. */
  readonly roots: ReadonlyMap<bigint, Hex>;
  /**
   * By transaction: the `dataHash` of each revision that it made of this agent's soul. None for an
   * unknown transaction, and null for one of a later block.
   */
  readonly revisions: ReadonlyMap<Hex, readonly Hex[] | null>;
}

/** How many chronicles have which result. Those that are not anchored yet are pending. */
export interface ChronicleTally {
  readonly valid: number;
  readonly invalid: number;
  readonly pending: number;
}

/** Compares what a file hashes to with the chain, its archive and its chronicles. */
export function verifyAudit(
  file: SoulHashes,
  onChain: SoulHashes,
  archived: ArchivedClaim | null,
  chronicles: ChronicleTally,
): AuditVerification {
  return {
    ...compareSoul(file, onChain),
    arweaveArchiveMatch:
      archived !== null &&
      archived.soulHash === onChain.soulHash.toLowerCase() &&
      archived.soulMerkleRoot === onChain.soulMerkleRoot.toLowerCase(),
    allChronicleRecordsValid: chronicles.invalid === 0,
  };
}

/** Whether a file is the soul on chain. */
export function compareSoul(file: SoulHashes, onChain: SoulHashes) {
  return {
    soulHashMatch: file.soulHash === onChain.soulHash.toLowerCase(),
    merkleRootMatch: file.soulMerkleRoot === onChain.soulMerkleRoot.toLowerCase(),
  };
}

/** Checks each chronicle's own fields, its place in its batch, and the batch's root on chain. */
export function tallyChronicles(
  chronicles: readonly AuditedChronicle[],
  facts: ChronicleFacts,
): ChronicleTally {
  const tally = { valid: 0, invalid: 0, pending: 0 };
  for (const chronicle of chronicles) tally[resultOf(chronicle, facts)] += 1;
  return tally;
}

function resultOf(chronicle: AuditedChronicle, facts: ChronicleFacts): keyof ChronicleTally {
  const { batchId, txHash, proof, recordedAt } = chronicle;
  const leaf = chronicleLeaf({ ...chronicle, timestamp: unixSeconds(recordedAt) });
  if (leaf !== chronicle.leaf) return "invalid";
  if (txHash !== null) {
    const revisions = facts.revisions.get(txHash);
    if (revisions === null) return "pending";
    return revisions?.includes(chronicle.contentHash) ? "valid" : "invalid";
  }
  if (batchId === null) return "pending";
  return chronicleRootOf(leaf, proof) === facts.roots.get(batchId) ? "valid" : "invalid";
}

/** The sum of two tallies. */
export function addTallies(a: ChronicleTally, b: ChronicleTally): ChronicleTally {
  return {
    valid: a.valid + b.valid,
    invalid: a.invalid + b.invalid,
    pending: a.pending + b.pending,
  };
}
