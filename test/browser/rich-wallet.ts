import type { Address, Hex, LocalAccount } from "viem";
import type { Stage } from "./stage.ts";
import { type TestWallet, testWallet } from "./wallet.ts";

/** A wallet whose owner can pay for transactions, which are mined before it answers. */
export async function richWallet({ service }: Stage, owner: LocalAccount): Promise<TestWallet> {
  const { chain } = service;
  await chain.fund(owner.address);
  const send = async (account: LocalAccount, call: { to: Address; data: Hex }) => {
    const hash = await chain.client.sendTransaction({ account, ...call });
    const { status } = await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    if (status !== "success") throw new Error(`Transaction ${hash} reverted.`);
    return hash;
  };
  return testWallet([owner], { send });
}
