import type {
  PermitDomain,
  SignedContract,
  SignedMessage as SignedMessageName,
} from "../../../protocol/index.ts";
import { permitTypedData } from "../../../protocol/index.ts";
import type { PreparedMessage } from "../operation.ts";
import type { SigningDomains } from "../signing-domains.ts";
import { typedDataText } from "../typed-data.schemas.ts";

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

/** The typed data of a message, as the API answers it. */
export type TypedDataOf = (message: UnsignedMessage) => Promise<ReturnType<typeof typedDataText>>;

export function createTypedDataOf({
  domains,
  permitDomain,
}: {
  readonly domains: SigningDomains;
  /** The EIP-712 domain of the stablecoin, which is read from the chain. */
  readonly permitDomain: () => Promise<PermitDomain>;
}): TypedDataOf {
  return async ({ contract, primaryType, message }) =>
    typedDataText(
      contract === "Stablecoin"
        ? permitTypedData(await permitDomain(), message)
        : domains.typedData(contract, primaryType, message),
    );
}
