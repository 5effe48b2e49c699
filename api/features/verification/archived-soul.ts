import { type Hex, sha256 } from "viem";
import { type FieldLeaf, ProtocolError, rootOfLeaves } from "../../../protocol/index.ts";
import type { SoulOrigin } from "../../soul/index-reads.ts";

/** An archived record's statement about the soul. */
export interface ArchivedClaim {
  readonly soulHash: unknown;
  readonly soulMerkleRoot: unknown;
}

/**
 * What the intact archive of a soul says of it; in one sentence what is wrong when it is not a
 * record of a soul, or not the signed one.
 */
export function readArchivedSoul(
  data: Uint8Array,
  origin: SoulOrigin | null,
): ArchivedClaim | string {
  if (origin?.kind === "REVISION" && sha256(data) !== origin.dataHash) {
    return "The archived record is not the one whose hash the owner signed.";
  }
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch {
    return "The archived record cannot be read.";
  }
  const isRevision = origin?.kind === "REVISION";
  const content = isRevision ? (record?.data as Record<string, unknown> | undefined) : record;
  const claim = {
    soulHash: isRevision ? content?.newSoulHash : content?.soulHash,
    soulMerkleRoot: isRevision ? content?.newSoulMerkleRoot : content?.soulMerkleRoot,
  };
  if (rootOf(content?.merkleLeaves) !== claim.soulMerkleRoot) {
    return "The archived leaves do not give the archived Merkle root.";
  }
  return claim;
}

function rootOf(leaves: unknown): Hex | null {
  try {
    return rootOfLeaves(leaves as FieldLeaf[]);
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof TypeError) return null;
    throw error;
  }
}
