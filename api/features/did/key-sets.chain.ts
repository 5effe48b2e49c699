import { type Address, encodeFunctionData } from "viem";
import { agentKeysAbi } from "../../../protocol/generated/abi.ts";
import type { OwnerEvidence } from "../../operations/soul-operation.ts";
import type { Call } from "../../platform/chain/transactions.ts";

/** The call of AgentKeys that carries out what an owner signed. */
export function createKeySetCall(agentKeys: Address) {
  return ({ message, signature }: OwnerEvidence<"SetAgentKeys">): Call => ({
    to: agentKeys,
    data: encodeFunctionData({
      abi: agentKeysAbi,
      functionName: "setKeys",
      args: [message, signature],
    }),
  });
}
