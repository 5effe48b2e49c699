import { type PublicClient, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { chronicleAnchorAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { ProofChain } from "./proof.ts";

/** What the verification of a proof reads, from the node of `client` alone. */
export function proofChain(client: PublicClient): ProofChain {
  return {
    chainId: () => client.getChainId(),

    async rootOf(anchor, batchId) {
      const code = await client.getCode({ address: anchor });
      if (code === undefined || code === "0x") return null;
      return client.readContract({
        address: anchor,
        abi: chronicleAnchorAbi,
        functionName: "rootOf",
        args: [batchId],
      });
    },

    async revisions(registry, hash, tokenId) {
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return null;
        throw error;
      });
      if (receipt === null) return null;
      const logs = receipt.logs.filter(
        (log) => log.address.toLowerCase() === registry.toLowerCase(),
      );
      return parseEventLogs({ abi: soulRegistryAbi, eventName: "SoulRevised", logs })
        .filter(({ args }) => args.tokenId === tokenId)
        .map(({ args }) => args.dataHash);
    },
  };
}
