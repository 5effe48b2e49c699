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

/** Transfers a passport on a local chain to a new account. Resolves when the transfer is in a block. */
export async function sellPassport(
  at: { readonly rpcUrl: string; readonly identityRegistry: Address },
  { owner, passportId }: { readonly owner: LocalAccount; readonly passportId: number },
): Promise<{ readonly buyer: Address; readonly block: bigint }> {
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(at.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
  const buyer = privateKeyToAccount(generatePrivateKey()).address;
  await chain.setBalance({ address: owner.address, value: parseEther("1") });
  const hash = await chain.writeContract({
    account: owner,
    address: at.identityRegistry,
    abi: identityRegistryAbi,
    functionName: "transferFrom",
    args: [owner.address, buyer, BigInt(passportId)],
  });
  const receipt = await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return { buyer, block: receipt.blockNumber };
}
