import type { PermitDomain } from "../../../protocol/index.ts";
import { permitTypedData } from "../../../protocol/index.ts";
import type { SigningDomains } from "../signing-domains.ts";
import { typedDataText } from "../typed-data.schemas.ts";
import type { UnsignedMessage } from "./unsigned-message.ts";

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
