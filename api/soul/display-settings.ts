/** How an address is shown on the profile. */
export const ADDRESS_DISPLAYS = ["full", "truncated", "hidden"] as const;

export type AddressDisplay = (typeof ADDRESS_DISPLAYS)[number];

/**
 * What an agent's profile shows. It hides nothing: the chain, the DID document and every proof of
 * validity name the addresses.
 */
export interface DisplaySettings {
  readonly ownerAddress: AddressDisplay;
  readonly operatorAddress: AddressDisplay;
  /** The operator's label; empty for none. */
  readonly operatorLabel: string;
  /** For pages that show balances. */
  readonly showWalletBalances: boolean;
  /** For pages that count transactions. */
  readonly showTransactionCount: boolean;
}

/** What is shown until the owner says otherwise. */
export const DEFAULT_DISPLAY: DisplaySettings = {
  ownerAddress: "full",
  operatorAddress: "full",
  operatorLabel: "",
  showWalletBalances: false,
  showTransactionCount: false,
};
