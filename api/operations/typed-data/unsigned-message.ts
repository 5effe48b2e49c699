import type {
  SignedContract,
  SignedMessage as SignedMessageName,
} from "../../../protocol/index.ts";
import type { PreparedMessage } from "../operation.ts";

/** A message that is ready to be signed, with its EIP-712 type. */
export type UnsignedMessage = Pick<PreparedMessage, "contract" | "primaryType" | "message">;

/** A message of a type that `contract` verifies. */
export function unsigned<Contract extends SignedContract>(
  contract: Contract,
  primaryType: SignedMessageName<Contract>,
  message: UnsignedMessage["message"],
): UnsignedMessage {
  return { contract, primaryType, message };
}
