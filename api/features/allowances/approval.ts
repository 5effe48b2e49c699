import type { Address, Hex } from "viem";
import { encodeFunctionData, erc20Abi } from "viem";

/** The owner's transaction after which the vault moves nothing from its wallet. */
export function endApprovalCall({
  stablecoin,
  allowanceVault,
}: {
  readonly stablecoin: Address;
  readonly allowanceVault: Address;
}): { readonly to: Address; readonly data: Hex } {
  return {
    to: stablecoin,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [allowanceVault, 0n],
    }),
  };
}
