import type { Address, PublicClient } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { revertData } from "../../platform/chain/reverts.ts";

/** Longest wait for the node's answers about one passport. */
const TIMEOUT_MS = 5_000;

export type BindablePassports = ReturnType<typeof createBindablePassports>;

/** State of passports to bind. */
export function createBindablePassports(
  client: PublicClient,
  contracts: Readonly<Record<"soulRegistry" | "passportWriter" | "identityRegistry", Address>>,
) {
  const identity = { address: contracts.identityRegistry, abi: identityRegistryAbi } as const;
  const souls = { address: contracts.soulRegistry, abi: soulRegistryAbi } as const;

  /**
   * A passport as of the latest block, with its URI, which is empty if none was set, the soul bound to it, 0 for none, and whether
   * the passport writer may write to it; null when there is no such passport.
   */
  return (passportId: bigint) =>
    chainAnswer(TIMEOUT_MS, async () => {
      // All reads use one block: the passport could be sold between two blocks.
      const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
      const of = { blockNumber, args: [passportId] } as const;
      const [owner, agentUri, tokenId] = await Promise.all([
        answerOf(client.readContract({ ...identity, ...of, functionName: "ownerOf" })),
        answerOf(client.readContract({ ...identity, ...of, functionName: "tokenURI" })),
        client.readContract({ ...souls, ...of, functionName: "tokenOfPassport" }),
      ]);
      if (owner === null || agentUri === null) return null;
      const isApproved = await client.readContract({
        ...identity,
        blockNumber,
        functionName: "isAuthorizedOrOwner",
        args: [contracts.passportWriter, passportId],
      });
      return { owner, agentUri, tokenId, isApproved };
    });
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
