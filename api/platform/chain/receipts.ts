import type { Address, Hex, PublicClient, TransactionReceipt } from "viem";
import { isAddressEqual, TransactionReceiptNotFoundError } from "viem";
import { orNull } from "./absent.ts";

/** A mined transaction, and the logs that one contract wrote in it. */
export interface ContractReceipt {
  readonly receipt: TransactionReceipt;
  readonly logs: TransactionReceipt["logs"];
}

/**
 * Null for a transaction that is not in the chain as it is now. Another contract can emit the same
 * events: only those of `contract` are given.
 */
export async function contractReceipt(
  client: PublicClient,
  hash: Hex,
  contract: Address,
): Promise<ContractReceipt | null> {
  const receipt = await orNull(
    client.getTransactionReceipt({ hash }),
    TransactionReceiptNotFoundError,
  );
  if (receipt === null) return null;
  return {
    receipt,
    logs: receipt.logs.filter(({ address }) => isAddressEqual(address, contract)),
  };
}
