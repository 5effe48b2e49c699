import type { Address, Hex } from "viem";

/** A transaction that is ready but for its sender, who signs and pays it in a wallet of their own. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei: always none. */
  readonly value: "0";
}

/** What only a passport's owner, or whom it approved, may write on the identity registry. */
export interface PassportTransactions {
  /** Lets the soul registry write to this one passport. */
  approve(passportId: bigint): UnsignedTransaction;
  setAgentUri(passportId: bigint, uri: string): UnsignedTransaction;
  setMetadata(passportId: bigint, key: string, value: Hex): UnsignedTransaction;
}
