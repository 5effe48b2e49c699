import type { Hex } from "viem";

const MESSAGES = {
  ALLOWANCE_NOT_SET: "The agent's owner set no allowance. Ask the owner to set one.",
  ALLOWANCE_INACTIVE:
    "The allowance has ended: the owner ended it, its last second has passed, or the agent was sold. Ask the owner to set another.",
  EXCEEDS_PER_TRANSACTION_LIMIT: "The amount exceeds the allowance's limit for one payment.",
  EXCEEDS_DAILY_LIMIT:
    "The amount exceeds what the allowance leaves today. The next day begins at 00:00 UTC.",
  TRANSFER_FAILED: "The stablecoin refused the transfer.",
  AGENT_WALLET_NOT_OPERATOR:
    "The allowance needs the passport's agentWallet to be the operator, and it is another account or none. Ask the owner to set it again.",
  NOT_OPERATOR:
    "The signer is not the agent's operator. Sign with the operator's key, or have the owner name this operator.",
  NOT_FUNDED:
    "The owner's balance, or the owner's approval of the vault, is smaller than the amount. Ask the owner to raise it.",
  INVALID_PAYMENT: "The amount is not above zero, or the recipient cannot be paid.",
  INVALID_PAYMENT_REQUIRED:
    "The server's 402 answer has no valid PAYMENT-REQUIRED header of x402 version 2.",
  UNSUPPORTED_PAYMENT:
    "The server accepts no payment that this allowance can make: scheme exact, assetTransferMethod erc7710, this chain and the vault's stablecoin.",
  PRICE_TOO_HIGH: "The server asks for more than maxAmount.",
  PAYMENT_REFUSED:
    "The server refused the signed payment. It can still be settled until its deadline.",
  PAYMENT_UNKNOWN:
    "The server did not answer the signed payment. It can still be settled until its deadline.",
  REVERTED:
    "The chain refused the transaction when it was mined. Other payments may have used up the day: ask canSpend again.",
} as const satisfies Readonly<Record<string, string>>;

export type AllowanceErrorReason = keyof typeof MESSAGES;

/** A payment that the operator signed. */
export interface SignedPayment {
  /** Base units of the stablecoin. */
  readonly amount: bigint;
  readonly recipient: Hex;
  readonly paymentRef: Hex;
  /** Hash of the server's terms: see `termsHashOf`. */
  readonly termsHash: Hex;
  /** The only account that may settle it; the zero address for any. */
  readonly redeemer: Hex;
  /** The vault's event `Spent` has it, once the payment is settled. */
  readonly digest: Hex;
  /** Of the operator. `AllowanceVault.cancel(nonce)`, sent by the operator, withdraws the payment. */
  readonly nonce: bigint;
  /** Last Unix second in which it can be settled. */
  readonly deadline: bigint;
}

/** A payment that was not made, or whose outcome is unknown. */
export class AllowanceError extends Error {
  override readonly name = "AllowanceError";
  /** What was signed and sent; null when nothing was. */
  readonly payment: SignedPayment | null;
  /** The server's own words, which are not checked; null without any. */
  readonly serverReason: string | null;

  constructor(
    readonly reason: AllowanceErrorReason,
    details: {
      readonly payment?: SignedPayment;
      readonly serverReason?: string | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(MESSAGES[reason], { cause: details.cause });
    this.payment = details.payment ?? null;
    this.serverReason = details.serverReason ?? null;
  }
}
