import type { Address, Hex, PublicClient } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { withChainErrors } from "../platform/chain/reverts.ts";

/** Where the soul registry is, and since which block the deployment is there. */
export interface RegistryHistory {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  /** The first block that can hold anything of the deployment. */
  readonly startBlock: bigint;
}

/**
 * The transaction in which a contract carried out exactly this signature, from any sender; null for none.
 *
 * @param verifier The contract: every one that verifies owners' signatures emits the same event.
 */
export async function executedIn(
  { client, startBlock }: Pick<RegistryHistory, "client" | "startBlock">,
  verifier: Address,
  signer: Address,
  digest: Hex,
): Promise<{ readonly txHash: Hex; readonly blockNumber: bigint } | null> {
  const logs = await withChainErrors(() =>
    client.getContractEvents({
      address: verifier,
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
