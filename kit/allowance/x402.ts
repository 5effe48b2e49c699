import { base64 } from "@scure/base";
import {
  type Address,
  getAddress,
  type Hex,
  isAddress,
  isAddressEqual,
  keccak256,
  stringToBytes,
  zeroAddress,
} from "viem";
import { canonicalJson } from "../../protocol/json.ts";
import { AllowanceError } from "./error.ts";

// x402 version 2 over HTTP: the part of a client that pays by ERC-7710.

type Json = Readonly<Record<string, unknown>>;

/** One way to pay that the server accepts and a vault can carry out. */
export interface PaymentTerms {
  /** The server's own object: the payment must repeat it exactly. */
  readonly accepted: Json;
  readonly recipient: Address;
  /** Base units of the stablecoin. */
  readonly amount: bigint;
  /** How long the server may take to settle. */
  readonly maxTimeoutSeconds: number;
  /** The facilitator's account where the server names exactly one, else the zero address. */
  readonly redeemer: Address;
}

/** What a server asks for in its 402 answer. */
export interface PaymentRequired {
  /** What is paid for; the server's own object. */
  readonly resource: Json;
  readonly resourceUrl: string;
  /** The cheapest of the terms that can be met. */
  readonly terms: PaymentTerms;
  /** Null without any. A client has to repeat them. */
  readonly extensions: Json | null;
}

/** What a vault pays with. */
export interface PaymentAsset {
  readonly chainId: number;
  readonly stablecoin: Address;
}

/** The payload of the asset transfer method `erc7710`. */
export interface DelegatedPayment {
  readonly delegationManager: Address;
  readonly permissionContext: Hex;
  /** The account whose money moves. */
  readonly delegator: Address;
}

/** What the server says of the settlement. It is not checked. */
export interface Settlement {
  readonly success: boolean;
  /** Null without one. */
  readonly transaction: Hex | null;
  readonly errorReason: string | null;
}

const AMOUNT = /^[1-9][0-9]{0,77}$/;
const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;

/**
 * Reads a 402 answer.
 *
 * @throws AllowanceError INVALID_PAYMENT_REQUIRED; UNSUPPORTED_PAYMENT when none of the accepted
 * payments is one that the vault can make.
 */
export function readPaymentRequired(response: Response, asset: PaymentAsset): PaymentRequired {
  const required = decoded(response.headers.get("payment-required"));
  const accepts = required?.accepts;
  const resource = required?.resource;
  if (
    required?.x402Version !== 2 ||
    !Array.isArray(accepts) ||
    !isObject(resource) ||
    typeof resource.url !== "string"
  ) {
    throw new AllowanceError("INVALID_PAYMENT_REQUIRED");
  }
  const [terms] = accepts
    .map((accepted: unknown) => termsOf(accepted, asset))
    .filter((one) => one !== null)
    .sort((a, b) => (a.amount < b.amount ? -1 : 1));
  if (!terms) throw new AllowanceError("UNSUPPORTED_PAYMENT");
  const extensions = isObject(required.extensions) ? required.extensions : null;
  return { resource, resourceUrl: resource.url, terms, extensions };
}

function termsOf(accepted: unknown, { chainId, stablecoin }: PaymentAsset): PaymentTerms | null {
  if (!isObject(accepted) || !isObject(accepted.extra)) return null;
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = accepted;
  const isPayable =
    scheme === "exact" &&
    network === `eip155:${chainId}` &&
    accepted.extra.assetTransferMethod === "erc7710" &&
    isAccount(asset) &&
    isAddressEqual(asset, stablecoin) &&
    isAccount(payTo) &&
    payTo !== zeroAddress &&
    typeof amount === "string" &&
    AMOUNT.test(amount) &&
    Number.isSafeInteger(maxTimeoutSeconds) &&
    Number(maxTimeoutSeconds) > 0;
  if (!isPayable) return null;
  return {
    accepted,
    recipient: getAddress(payTo),
    amount: BigInt(amount),
    maxTimeoutSeconds: Number(maxTimeoutSeconds),
    redeemer: redeemerOf(accepted.extra.facilitators),
  };
}

/** A payment names one account that may settle it, so a choice of several is left open. */
function redeemerOf(facilitators: unknown): Address {
  if (!Array.isArray(facilitators) || facilitators.length !== 1) return zeroAddress;
  const [facilitator] = facilitators as readonly unknown[];
  return isAccount(facilitator) ? getAddress(facilitator) : zeroAddress;
}

/**
 * The hash that a payment carries of what it pays for: keccak256 of the canonical JSON (RFC 8785)
 * of the resource's URL and the accepted terms.
 */
export function termsHashOf(resource: string, accepted: object): Hex {
  return keccak256(stringToBytes(canonicalJson({ resource, accepted })));
}

/** The value of the header PAYMENT-SIGNATURE. */
export function paymentSignature(required: PaymentRequired, payload: DelegatedPayment): string {
  const { resource, terms, extensions } = required;
  const payment = {
    x402Version: 2,
    resource,
    accepted: terms.accepted,
    payload,
    extensions: extensions ?? undefined,
  };
  return base64.encode(new TextEncoder().encode(JSON.stringify(payment)));
}

/** The header PAYMENT-RESPONSE; null when it is missing or invalid. */
export function readSettlement(response: Response): Settlement | null {
  const settlement = decoded(response.headers.get("payment-response"));
  if (typeof settlement?.success !== "boolean") return null;
  const { success, transaction, errorReason } = settlement;
  return {
    success,
    transaction: isTransaction(transaction) ? transaction : null,
    errorReason: typeof errorReason === "string" ? errorReason : null,
  };
}

/** Why the server answered 402 to a payment, in its own words; null when it does not say. */
export function refusalOf(response: Response): string | null {
  const failed = readSettlement(response)?.errorReason;
  if (failed) return failed;
  const error = decoded(response.headers.get("payment-required"))?.error;
  return typeof error === "string" ? error : null;
}

/** Base64 of a JSON object; null for anything else. */
function decoded(header: string | null): Json | null {
  if (header === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(base64.decode(header)));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAccount(value: unknown): value is Address {
  return typeof value === "string" && isAddress(value, { strict: false });
}

function isTransaction(value: unknown): value is Hex {
  return typeof value === "string" && TRANSACTION.test(value);
}
