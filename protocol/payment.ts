import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  zeroHash,
} from "viem";
import { ALLOWANCE_VAULT_TYPES } from "./typed-data.ts";

const PAYMENT_TUPLE = { type: "tuple", components: ALLOWANCE_VAULT_TYPES.Payment } as const;

/**
 * What an agent's operator signs so that any account can submit its payment. See
 * `IAllowanceVault.Payment`.
 */
export interface PaymentMessage {
  tokenId: bigint;
  epoch: number;
  recipient: Address;
  /** Base units of the stablecoin. */
  amount: bigint;
  paymentRef: Hex;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** The permission context of ERC-7710 for one signed payment, as the vault decodes it. */
export function paymentContext(message: PaymentMessage, signature: Hex): Hex {
  return concat([encodeAbiParameters([PAYMENT_TUPLE], [message]), signature]);
}

/**
 * Arguments of `redeemDelegations` (ERC-7710) for one signed payment. The vault accepts no others
 * for it.
 *
 * @param stablecoin The vault's token.
 */
export function paymentRedemption(stablecoin: Address, message: PaymentMessage, signature: Hex) {
  const { recipient, amount } = message;
  const context = paymentContext(message, signature);
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [recipient, amount],
  });
  // ERC-7579: the mode of a single call, and its target, value and calldata, packed.
  return [[context], [zeroHash], [concat([stablecoin, zeroHash, transfer])]] as const;
}
