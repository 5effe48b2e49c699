import type { Address, PublicClient } from "viem";
import { encodeFunctionData, parseEventLogs } from "viem";
import { chronicleAnchorAbi } from "../../../../protocol/generated/abi.ts";
import { archiveIdOf } from "../../../../protocol/index.ts";
import { findNewestLog } from "../../../platform/chain/log-search.ts";
import { contractReceipt } from "../../../platform/chain/receipts.ts";
import { withChainErrors } from "../../../platform/chain/reverts.ts";
import { settledBlock } from "../../../platform/chain/settled.ts";
import type { AnchorChain } from "./batches.ts";

/** The anchor contract, as the batch job uses it. */
export function createChronicleAnchor({
  client,
  address,
  confirmations,
  startBlock,
}: {
  readonly client: PublicClient;
  readonly address: Address;
  /** Blocks until a batch counts as confirmed; 1 means included. */
  readonly confirmations: number;
  /** The first block that can hold a batch. */
  readonly startBlock: bigint;
}): AnchorChain {
  const contract = { address, abi: chronicleAnchorAbi } as const;

  return {
    batchCount: () =>
      withChainErrors(() => client.readContract({ ...contract, functionName: "batchCount" })),

    rootOf: (batchId) =>
      withChainErrors(() =>
        client.readContract({ ...contract, functionName: "rootOf", args: [batchId] }),
      ),

    anchorCall: ({ batchId, root, previousRoot, leafCount, archiveId }) => ({
      to: address,
      data: encodeFunctionData({
        abi: chronicleAnchorAbi,
        functionName: "anchor",
        args: [batchId, root, previousRoot, BigInt(leafCount), archiveIdOf(archiveId)],
      }),
    }),

    async anchoredIn(batchId, root) {
      const found = await findNewestLog(client, startBlock, (range) =>
        client.getContractEvents({
          ...contract,
          eventName: "BatchAnchored",
          args: { batchId, root },
          strict: true,
          ...range,
        }),
      );
      return found === null ? null : { txHash: found.txHash, block: found.blockNumber };
    },

    minedIn: (txHash) =>
      withChainErrors(async () => {
        const found = await contractReceipt(client, txHash, address);
        const anchored = parseEventLogs({
          abi: chronicleAnchorAbi,
          eventName: "BatchAnchored",
          logs: found?.logs ?? [],
        });
        return found !== null && anchored.length > 0 ? found.receipt.blockNumber : null;
      }),

    settledBlock: () => settledBlock(client, confirmations),
  };
}
