import {
  type Address,
  createTestClient,
  http,
  type LocalAccount,
  parseEther,
  publicActions,
  walletActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import type { Topology } from "./topology.ts";

/** What a sale needs of an agent, and changes in it. */
interface SoldAgent {
  readonly owner: LocalAccount;
  readonly passportId: number;
  holder: Address;
  soldAt?: number;
}

/**
 * Transfers the passport past the provider and its faults, and resolves when the transfer is in a
 * block.
 */
export async function sell({ stack, node }: Topology, agent: SoldAgent): Promise<void> {
  const { owner, passportId } = agent;
  const transport = http(node.directUrl);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport })
    .extend(publicActions)
    .extend(walletActions);
  const buyer = privateKeyToAccount(generatePrivateKey());
  await chain.setBalance({ address: owner.address, value: parseEther("1") });
  const hash = await chain.writeContract({
    account: owner,
    address: stack.deployment.contracts.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "transferFrom",
    args: [owner.address, buyer.address, BigInt(passportId)],
  });
  await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  agent.holder = buyer.address;
  agent.soldAt = performance.now();
}
