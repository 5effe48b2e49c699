import { encodeAbiParameters, type Hex, stringToHex } from "viem";

/** What the service's metadata on a passport says of a soul. */
export interface ServiceMetadata {
  readonly tokenId: bigint;
  readonly soulHash: Hex;
  /** Null when nothing is known of an archive. */
  readonly archiveId: string | null;
  readonly status: "SEALED" | "PENDING" | "SUSPENDED";
}

/** The entry that only the archive's id goes into. */
export const ARCHIVE_KEY = "svcArweaveId";

/** The entries as the passport writer encodes them. */
export function serviceMetadata(soul: ServiceMetadata): readonly (readonly [string, Hex])[] {
  const { tokenId, soulHash, archiveId, status } = soul;
  const entries: (readonly [string, Hex])[] = [
    ["svcSoulHash", encodeAbiParameters([{ type: "bytes32" }], [soulHash])],
    ["svcTokenId", encodeAbiParameters([{ type: "uint256" }], [tokenId])],
  ];
  if (archiveId !== null) entries.push([ARCHIVE_KEY, stringToHex(archiveId)]);
  entries.push(["svcStatus", stringToHex(status)]);
  return entries;
}
