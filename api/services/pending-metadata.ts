import { encodeAbiParameters, type Hex, stringToHex } from "viem";
import type { CompletedRegistration, PendingRegistration } from "./registration-ports.ts";
import type { PassportTransactions, UnsignedTransaction } from "./unsigned-transactions.ts";

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
  // As the soul registry encodes them.
  const values: readonly (readonly [string, Hex])[] = [
    ["svcSoulHash", encodeAbiParameters([{ type: "bytes32" }], [request.soulHash])],
    ["svcTokenId", encodeAbiParameters([{ type: "uint256" }], [tokenId])],
    ["svcArweaveId", stringToHex(archiveId)],
    ["svcStatus", stringToHex(message.seal ? "SEALED" : "PENDING")],
  ];
  return values.map(([key, value]) => ({
    ...{ key, value },
    transaction: transactions.setMetadata(passportId, key, value),
  }));
}
