import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";

/** A transaction for its owner to send. Integers are decimal strings. */
export interface ReadyTransaction {
  readonly to: Address;
  readonly functionName: string;
  readonly args: string[];
  readonly data: Hex;
  readonly description: string;
}

/** Points a passport at another file. Only its owner, or whom the owner approved, can send it. */
export function setAgentUriTransaction(
  identityRegistry: Address,
  passportId: bigint,
  uri: string,
): ReadyTransaction {
  return {
    to: identityRegistry,
    functionName: "setAgentURI",
    args: [passportId.toString(), uri],
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "setAgentURI",
      args: [passportId, uri],
    }),
    description: `Point passport ${passportId} at the registration file that names its ids.`,
  };
}
