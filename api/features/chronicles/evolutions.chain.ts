import type { Address } from "viem";
import { encodeFunctionData } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import type { ChangeCalls } from "./evolutions.ts";

/** The soul registry as chronicles use it. */
export function createChangeCalls(soulRegistry: Address): ChangeCalls {
  return {
    reviseCall: ({ message, signature }, archiveId) => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "revise",
        args: [message, archiveIdOf(archiveId), signature],
      }),
    }),

    changeOperatorCall: ({ message, signature }, operator) => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "changeOperator",
        args: [message, operator, signature],
      }),
    }),
  };
}
