import type { Address, PublicClient } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { revertData } from "../../platform/chain/reverts.ts";
import type { BindablePassports } from "./passport-binding.ts";

/** State of passports to bind, in the latest block. */
export function createBindablePassports(options: {
  readonly client: PublicClient;
  readonly identityRegistry: Address;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
  /** Milliseconds that the reads of one passport may take. */
  readonly timeoutMs: number;
}): BindablePassports {
  const { client, soulRegistry, passportWriter, timeoutMs } = options;
  const identity = { address: options.identityRegistry, abi: identityRegistryAbi } as const;

  return {
    async passport(passportId) {
      return chainAnswer(timeoutMs, async () => {
        // All reads use one block: the passport could be sold between two blocks.
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const at = { blockNumber } as const;
        const args = [passportId] as const;
        const [owner, agentUri, tokenId] = await Promise.all([
          answerOf(client.readContract({ ...identity, ...at, functionName: "ownerOf", args })),
          answerOf(client.readContract({ ...identity, ...at, functionName: "tokenURI", args })),
          client.readContract({
            address: soulRegistry,
            abi: soulRegistryAbi,
            functionName: "tokenOfPassport",
            ...at,
            args,
          }),
        ]);
        if (owner === null || agentUri === null) return null;
        const isApproved = await client.readContract({
          ...identity,
          ...at,
          functionName: "isAuthorizedOrOwner",
          args: [passportWriter, passportId],
        });
        return { owner, agentUri, tokenId, isApproved };
      });
    },
  };
}

/** The registry reverts for a passport that does not exist. */
async function answerOf<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (revertData(error) !== null) return null;
    throw error;
  }
}
