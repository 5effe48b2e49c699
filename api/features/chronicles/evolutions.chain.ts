import type { Address, PublicClient } from "viem";
import { encodeFunctionData, isAddressEqual, zeroAddress, zeroHash } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import { executedIn } from "../../operations/executions.chain.ts";
import { withinGas } from "../../platform/chain/gas-bound.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { EvolutionChain } from "./chronicles.ts";
import type { ChronicleSoul } from "./content.ts";

export interface EvolutionChainOptions {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  /** The first block that can hold anything of the deployment. */
  readonly startBlock: bigint;
  /** The account that submits: changes are simulated as it. */
  readonly registrar: Address;
}

/** In the order of ISoulRegistry.Status. */
const STATUSES = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;

/** The soul registry as chronicles use it. */
export function createEvolutionChain(options: EvolutionChainOptions): EvolutionChain {
  const { client, soulRegistry, registrar } = options;
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

    async simulate({ to, data }, gas, sender = registrar) {
      await withChainErrors(() =>
        withinGas(gas, () => client.call({ account: sender, to, data, gas })),
      );
    },

    reviseCall: ({ message, signature }, archiveId) => ({
      to: soulRegistry,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "revise",
        args: [message, archiveId === null ? zeroHash : archiveIdOf(archiveId), signature],
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

    isNonceUsed: (signer, nonce) =>
      withChainErrors(() =>
        client.readContract({ ...contract, functionName: "isNonceUsed", args: [signer, nonce] }),
      ),

    executedIn: (signer, digest) =>
      executedIn(client, { verifier: soulRegistry, signer, digest, fromBlock: options.startBlock }),
  };
}
