import { encodeAbiParameters, type Hex, stringToHex } from "viem";
import type { CompletedRegistration, PendingRegistration } from "./registration-ports.ts";
import type { PassportTransactions, UnsignedTransaction } from "./unsigned-transactions.ts";

/** What the service's metadata on a passport says of a soul. */
export interface ServiceMetadata {
  readonly tokenId: bigint;
  readonly soulHash: Hex;
  /** Null when nothing is known of an archive. */
  readonly archiveId: string | null;
  readonly status: "SEALED" | "PENDING" | "SUSPENDED";
}

/** The entries as the soul registry encodes them. */
export function serviceMetadata(soul: ServiceMetadata): readonly (readonly [string, Hex])[] {
  const { tokenId, soulHash, archiveId, status } = soul;
  const entries: (readonly [string, Hex])[] = [
    ["svcSoulHash", encodeAbiParameters([{ type: "bytes32" }], [soulHash])],
    ["svcTokenId", encodeAbiParameters([{ type: "uint256" }], [tokenId])],
  ];
  if (archiveId !== null) entries.push(["svcArweaveId", stringToHex(archiveId)]);
  entries.push(["svcStatus", stringToHex(status)]);
  return entries;
}

/** Metadata that a registration left out of a passport, which only the passport's owner may write. */
export interface PendingMetadata {
  readonly key: string;
  readonly value: Hex;
  readonly transaction: UnsignedTransaction;
}

/** What is left for the owner to write; nothing where the soul registry was approved. Contracts read none of it. */
export function pendingMetadata(
  { message, request }: Pick<PendingRegistration, "message" | "request">,
  completed: CompletedRegistration,
  transactions: PassportTransactions,
): PendingMetadata[] {
  if (completed.metadata === "written") return [];
  const { tokenId, passportId, archiveId } = completed;
  const { soulHash } = request;
  const status = message.seal ? "SEALED" : "PENDING";
  return serviceMetadata({ tokenId, soulHash, archiveId, status }).map(([key, value]) => ({
    ...{ key, value },
    transaction: transactions.setMetadata(passportId, key, value),
  }));
}
