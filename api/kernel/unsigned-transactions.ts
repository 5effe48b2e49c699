import type { Address, Hex } from "viem";

/** A transaction that is ready but for its sender, who signs and pays it in a wallet of their own. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei: always none. */
  readonly value: "0";
}
