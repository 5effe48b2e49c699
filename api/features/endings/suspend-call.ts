import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";

/** Records on chain who owns a soul's passport now. Any account may send it. */
export function suspendCall(
  soulRegistry: Address,
  tokenId: bigint,
): { readonly to: Address; readonly data: Hex } {
  return {
    to: soulRegistry,
    data: encodeFunctionData({
      abi: soulRegistryAbi,
      functionName: "suspend",
      args: [tokenId],
    }),
  };
}
