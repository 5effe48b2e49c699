import type { Address, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual, zeroAddress } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { EvolutionChain } from "./chronicles.ts";
import type { ChronicleSoul } from "./content.ts";

export interface EvolutionChainOptions {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
}

/** In the order of ISoulRegistry.Status. */
const STATUSES = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;

/** The soul registry as chronicles use it. */
export function createEvolutionChain(options: EvolutionChainOptions): EvolutionChain {
  const { client, soulRegistry } = options;
  const contract = { address: soulRegistry, abi: soulRegistryAbi } as const;

  return {
    async soul(tokenId): Promise<ChronicleSoul> {
      const args = [tokenId] as const;
      const [soul, [owner], version] = await withChainErrors(() =>
        Promise.all([
          client.readContract({ ...contract, functionName: "soulOf", args }),
          client.readContract({ ...contract, functionName: "authorityOf", args }),
          client.readContract({ ...contract, functionName: "versionOf", args }),
        ]),
      );
      const status = STATUSES[soul.status];
      if (status === undefined) throw new Error(`No such status of a soul: ${soul.status}.`);
      return {
        tokenId,
        status,
        version,
        passportId: soul.passportId,
        name: soul.name,
        owner: isAddressEqual(owner, zeroAddress) ? null : owner,
        epoch: soul.epoch,
        soulHash: soul.soulHash,
      };
    },

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
