import type { Address, Hex } from "viem";
import { isAddressEqual, zeroAddress } from "viem";
import type { AgentWalletMessage, RegistrationMessage } from "../../../protocol/index.ts";
import { serviceMetadata } from "../../../protocol/service-metadata.ts";
import type { UnsignedTransaction } from "../../kernel/unsigned-transactions.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { PassportTransactions } from "../passports/index.ts";
import type { CompletedRegistration } from "./ports.ts";

// What remains for the owner to sign or to send after a registration.

/** Metadata that a registration left out of a passport. */
export interface PendingMetadata {
  readonly key: string;
  readonly value: Hex;
  /** Writes all entries at once. Any account may send it, once the passport writer is approved. */
  readonly transaction: UnsignedTransaction;
}

interface LeftMetadata {
  readonly pendingMetadata: readonly PendingMetadata[];
  /** Approves the passport writer. The owner sends it first. Null when nothing is pending. */
  readonly approvalTransaction: UnsignedTransaction | null;
}

/**
 * The metadata that a registration left out; none if the passport writer was approved. Contracts do
 * not read it.
 */
export function pendingMetadata(
  { soulHash, seal }: Pick<RegistrationMessage, "soulHash" | "seal">,
  completed: CompletedRegistration,
  transactions: PassportTransactions,
): LeftMetadata {
  if (completed.metadata === "written") return { pendingMetadata: [], approvalTransaction: null };
  const { tokenId, passportId, archiveId } = completed;
  const status = seal ? "SEALED" : "PENDING";
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

/** The identity registry accepts deadlines at most 5 minutes ahead of the block: one minute is left for a slow clock. */
const DEADLINE_SECONDS = 4n * 60n;

/**
 * What the agent's wallet signs so that the passport's owner may name it. The identity registry clears `agentWallet` when a new
 * passport is handed to its owner, and only the owner can set it again.
 *
 * @returns null for a passport that was bound: it keeps the wallet that its owner gave it.
 */
export function agentWalletConsent(
  message: Pick<RegistrationMessage, "bindPassport" | "owner" | "operator">,
  { passportId }: Pick<CompletedRegistration, "passportId">,
  now: Date,
): AgentWalletMessage | null {
  if (message.bindPassport) return null;
  return {
    agentId: passportId,
    newWallet: walletOf(message.operator, message.owner),
    owner: message.owner,
    deadline: unixSeconds(now) + DEADLINE_SECONDS,
  };
}

/** An agent without an operator is paid at its owner's account. */
function walletOf(operator: Address, owner: Address): Address {
  return isAddressEqual(operator, zeroAddress) ? owner : operator;
}
