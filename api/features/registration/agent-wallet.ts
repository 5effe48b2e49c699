import type { Address } from "viem";
import { isAddressEqual, zeroAddress } from "viem";
import type { AgentWalletMessage } from "../../../protocol/index.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { CompletedRegistration, PendingRegistration } from "./ports.ts";

/** The identity registry accepts deadlines at most 5 minutes ahead of the block: one minute is left for a slow clock. */
const DEADLINE_SECONDS = 4n * 60n;

/**
 * What the agent's wallet signs so that the passport's owner may name it. The identity registry clears `agentWallet` when a new
 * passport is handed to its owner, and only the owner can set it again.
 *
 * @returns null for a passport that was bound: it keeps the wallet that its owner gave it.
 */
export function agentWalletConsent(
  { message }: Pick<PendingRegistration, "message">,
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
