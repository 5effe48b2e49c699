import type { Address, Hex } from "viem";

/** A transaction that is ready but for its sender, who signs and pays it in a wallet of their own. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei: always none. */
  readonly value: "0";
}

/** What a registration may leave to the passport's owner. */
export interface PassportTransactions {
  /** Lets the passport writer write to this one passport. */
  approve(passportId: bigint): UnsignedTransaction;
  setAgentUri(passportId: bigint, uri: string): UnsignedTransaction;
  /** Has the passport writer write a soul's state to its passport. */
  sync(tokenId: bigint): UnsignedTransaction;
}
