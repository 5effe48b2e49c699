import { type Hex, type PublicClient, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { chronicleAnchorAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { ProofChain } from "./proof.ts";

/** The node's answers that a proof needs. */
export type ProofClient = Pick<
  PublicClient,
  "getChainId" | "getCode" | "readContract" | "getTransactionReceipt"
>;

/** What the verification of a proof reads, from the node of `client` alone. */
export function proofChain(client: ProofClient): ProofChain {
  async function logsOf(hash: Hex, address: Hex) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    return receipt?.logs.filter((log) => log.address.toLowerCase() === address.toLowerCase());
  }

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
      const logs = await logsOf(hash, registry);
      if (logs === undefined) return null;
      return parseEventLogs({ abi: soulRegistryAbi, eventName: "SoulRevised", logs })
        .filter(({ args }) => args.tokenId === tokenId)
        .map(({ args }) => args.dataHash);
    },

    async batch(anchor, hash, batchId) {
      const logs = (await logsOf(hash, anchor)) ?? [];
      const events = parseEventLogs({ abi: chronicleAnchorAbi, eventName: "BatchAnchored", logs });
      return events.find(({ args }) => args.batchId === batchId)?.args ?? null;
    },
  };
}
