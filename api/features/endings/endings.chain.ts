import type { Address, Hex, PublicClient } from "viem";
import { encodeFunctionData, getAddress, zeroAddress } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import type { HumanProof, OwnerMessage } from "../../../protocol/index.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { withChainErrors } from "../../platform/chain/reverts.ts";
import type { Call } from "../../platform/chain/transactions.ts";

/** What `suspend` recorded last, and how old that is. */
export interface Observation {
  /** Null when no suspension stands. */
  readonly owner: Address | null;
  readonly block: bigint;
  /** Unix seconds of that block. */
  readonly observedAt: bigint;
}

export type EndingsChain = ReturnType<typeof createEndingsChain>;

/** The soul registry's operations that end an epoch or a life. */
export function createEndingsChain(client: PublicClient, soulRegistry: Address) {
  const registry = { address: soulRegistry, abi: soulRegistryAbi } as const;
  const call = (data: Hex): Call => ({ to: soulRegistry, data });

  return {
    /** What `suspend` recorded last, as of the end of a block. */
    observation: (tokenId: bigint, blockNumber: bigint): Promise<Observation> =>
      withChainErrors(async () => {
        const [owner, block, observedAt] = await client.readContract({
          ...registry,
          functionName: "suspensionOf",
          args: [tokenId],
          blockNumber,
        });
        return { owner: owner === zeroAddress ? null : getAddress(owner), block, observedAt };
      }),

    /** The soul hash of a soul's first seal; zero for a soul that was never sealed. */
    genesisSoulHash: (tokenId: bigint): Promise<Hex> =>
      withChainErrors(() =>
        client.readContract({ ...registry, functionName: "genesisSoulHashOf", args: [tokenId] }),
      ),

    timeOf: (blockNumber: bigint): Promise<Date> =>
      withChainErrors(async () => {
        const { timestamp } = await client.getBlock({ blockNumber });
        return dateOf(timestamp);
      }),

    /** @param archiveId Where the registrar stored the soul's archive. */
    reseal: (
      message: OwnerMessage<"Reseal">,
      signature: Hex,
      archiveId: string,
      humanProof: HumanProof,
    ): Call =>
      call(
        encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "reseal",
          args: [message, archiveIdOf(archiveId), humanProof, signature],
        }),
      ),

    release: (message: OwnerMessage<"Release">, signature: Hex): Call =>
      call(
        encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "release",
          args: [message, signature],
        }),
      ),

    burn: (message: OwnerMessage<"Burn">, signature: Hex): Call =>
      call(
        encodeFunctionData({
          abi: soulRegistryAbi,
          functionName: "burn",
          args: [message, signature],
        }),
      ),
  };
}
