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

/** The entry that says which soul the others are about. */
const TOKEN_ID_KEY = "svcTokenId";

/** The entries as the passport writer encodes them. */
export function serviceMetadata(soul: ServiceMetadata): readonly (readonly [string, Hex])[] {
  const { tokenId, soulHash, archiveId, status } = soul;
  const entries: (readonly [string, Hex])[] = [
    ["svcSoulHash", encodeAbiParameters([{ type: "bytes32" }], [soulHash])],
    [TOKEN_ID_KEY, tokenIdValue(tokenId)],
  ];
  if (archiveId !== null) entries.push([ARCHIVE_KEY, stringToHex(archiveId)]);
  entries.push(["svcStatus", stringToHex(status)]);
  return entries;
}

/** The entries of a passport that the passport writer cleared after the end of its soul. */
export const CLEARED_METADATA: readonly (readonly [string, Hex])[] = [
  ["svcSoulHash", "0x"],
  [TOKEN_ID_KEY, "0x"],
  [ARCHIVE_KEY, "0x"],
  ["svcStatus", "0x"],
];

/** Whether the entries of a passport are about this soul; `values` are those of {@link CLEARED_METADATA}'s keys. */
export function namesSoul(values: readonly Hex[], tokenId: bigint): boolean {
  return values[1] === tokenIdValue(tokenId);
}

function tokenIdValue(tokenId: bigint): Hex {
  return encodeAbiParameters([{ type: "uint256" }], [tokenId]);
}
