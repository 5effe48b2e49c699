import type { Address } from "viem";

/** A passport that came to a wallet. */
export interface ReceivedPassport {
  readonly id: bigint;
  /** Block of the transfer. */
  readonly since: bigint;
}

/** Transfers of passports. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface PassportArrivals {
  /**
   * Passports that others sent or minted to `holder` in the blocks from `from` to `to`, the
   * earliest first, each with its last arrival. Looks at no more than the last blocks of a range
   * that is too long.
   */
  passportsReceived(
    holder: Address,
    from: bigint,
    to: bigint,
  ): Promise<readonly ReceivedPassport[]>;
}
