import type { Address, Hex, PublicClient } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { withChainErrors } from "./reverts.ts";

/** Where the soul registry is, and since which block. */
export interface RegistryHistory {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  /** The first block that can hold anything of it. */
  readonly startBlock: bigint;
}

/** The transaction in which exactly this signature was carried out, whoever sent it; null for none. */
export async function executedIn(
  { client, soulRegistry, startBlock }: RegistryHistory,
  signer: Address,
  digest: Hex,
): Promise<{ readonly txHash: Hex; readonly blockNumber: bigint } | null> {
  const logs = await withChainErrors(() =>
    client.getContractEvents({
      address: soulRegistry,
      abi: soulRegistryAbi,
      eventName: "NonceUsed",
      args: { signer, digest },
      fromBlock: startBlock,
      strict: true,
    }),
  );
  const log = logs.at(-1);
  return log ? { txHash: log.transactionHash, blockNumber: log.blockNumber } : null;
}
