import type { Hex } from "viem";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../../kernel/unsigned-transactions.ts";
import { serviceMetadata } from "../passports/index.ts";
import type { CompletedRegistration, PendingRegistration } from "./ports.ts";

/** Metadata that a registration left out of a passport. */
export interface PendingMetadata {
  readonly key: string;
  readonly value: Hex;
  /** Writes all entries at once. Any account may send it, once the passport writer is approved. */
  readonly transaction: UnsignedTransaction;
}

export interface LeftMetadata {
  readonly pendingMetadata: readonly PendingMetadata[];
  /** The owner sends it before: it lets the passport writer write. Null when nothing is pending. */
  readonly approvalTransaction: UnsignedTransaction | null;
}

/** What a registration left out; nothing where the passport writer was approved. Contracts read none of it. */
export function pendingMetadata(
  { message, request }: Pick<PendingRegistration, "message" | "request">,
  completed: CompletedRegistration,
  transactions: PassportTransactions,
): LeftMetadata {
  if (completed.metadata === "written") return { pendingMetadata: [], approvalTransaction: null };
  const { tokenId, passportId, archiveId } = completed;
  const { soulHash } = request;
  const status = message.seal ? "SEALED" : "PENDING";
  const entries = serviceMetadata({ tokenId, soulHash, archiveId, status });
  return {
    pendingMetadata: entries.map(([key, value]) => ({
      key,
      value,
      transaction: transactions.sync(tokenId),
    })),
    approvalTransaction: transactions.approve(passportId),
  };
}
