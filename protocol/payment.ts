import {
  type Address,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashTypedData,
  size,
  slice,
  zeroHash,
} from "viem";
import { ALLOWANCE_VAULT_TYPES, allowanceVaultDomain, type SigningDomain } from "./typed-data.ts";

const PAYMENT_TUPLE = { type: "tuple", components: ALLOWANCE_VAULT_TYPES.Payment } as const;

/**
 * What an agent's operator signs so that any account can submit its payment. See
 * `IAllowanceVault.Payment`.
 */
export interface PaymentMessage {
  tokenId: bigint;
  epoch: number;
  /** The allowance's version: any later decision of the owner ends the payment. */
  allowanceVersion: number;
  /** Who signs. */
  operator: Address;
  recipient: Address;
  /** Base units of the stablecoin. */
  amount: bigint;
  paymentRef: Hex;
  /** Zero for none. */
  termsHash: Hex;
  /** The only account that may submit it; the zero address for any. */
  redeemer: Address;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** Bytes of an encoded payment. */
const PAYMENT_SIZE = 11 * 32;

/** The permission context of ERC-7710 for one signed payment, as the vault decodes it. */
export function paymentContext(message: PaymentMessage, signature: Hex): Hex {
  return concat([encodeAbiParameters([PAYMENT_TUPLE], [message]), signature]);
}

/** Reads a permission context of the vault; null for any other. The signature is not checked. */
export function readPaymentContext(context: Hex): PaymentMessage | null {
  if (size(context) < PAYMENT_SIZE) return null;
  try {
    const [message] = decodeAbiParameters([PAYMENT_TUPLE], slice(context, 0, PAYMENT_SIZE));
    return message;
  } catch {
    return null;
  }
}

/** The EIP-712 digest of a payment, with which the vault's event `Spent` names it. */
export function paymentDigest(domain: SigningDomain, message: PaymentMessage): Hex {
  return hashTypedData(paymentTypedData(domain, message));
}

/** The typed data of a payment, as viem's signing and hashing functions take it. */
export function paymentTypedData(domain: SigningDomain, message: PaymentMessage) {
  return {
    domain: allowanceVaultDomain(domain),
    types: { Payment: ALLOWANCE_VAULT_TYPES.Payment },
    primaryType: "Payment",
    message,
  } as const;
}

/** A signed payment. */
export interface SignedPaymentMessage {
  readonly message: PaymentMessage;
  readonly signature: Hex;
}

/**
 * Arguments of `redeemDelegations` (ERC-7710) for one signed payment. The vault accepts no others
 * for it.
 *
 * @param stablecoin The vault's token.
 */
export function paymentRedemption(stablecoin: Address, message: PaymentMessage, signature: Hex) {
  return paymentRedemptions(stablecoin, [{ message, signature }]);
}

/** The same for several payments in one transaction: all of them or none. */
export function paymentRedemptions(stablecoin: Address, payments: readonly SignedPaymentMessage[]) {
  return [
    payments.map(({ message, signature }) => paymentContext(message, signature)),
    payments.map(() => zeroHash),
    payments.map(({ message }) => transferOf(stablecoin, message)),
  ] as const;
}

/** ERC-7579: target, value and calldata of a single call, packed. */
function transferOf(stablecoin: Address, { recipient, amount }: PaymentMessage): Hex {
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [recipient, amount],
  });
  return concat([stablecoin, zeroHash, transfer]);
}
