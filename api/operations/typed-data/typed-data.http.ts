import type { PermitDomain } from "../../../protocol/index.ts";
import { permitTypedData } from "../../../protocol/index.ts";
import type { SigningDomains } from "../signing-domains.ts";
import { typedDataText } from "../typed-data.schemas.ts";
import type { UnsignedMessage } from "./unsigned-message.ts";

export type TypedDataOf = ReturnType<typeof createTypedDataOf>;

/**
 * Makes the typed data of a message, as the API answers it.
 *
 * @param permitDomain The EIP-712 domain of the stablecoin, which is read from the chain.
 */
export function createTypedDataOf(
  domains: SigningDomains,
  permitDomain: () => Promise<PermitDomain>,
) {
  return async ({ contract, primaryType, message }: UnsignedMessage) =>
    typedDataText(
      contract === "Stablecoin"
        ? permitTypedData(await permitDomain(), message)
        : domains.typedData(contract, primaryType, message),
    );
}
