import { base58 } from "@scure/base";
import { getAddress, isAddress, zeroAddress } from "viem";
import { ProtocolError } from "./errors.ts";
import { isWellFormed } from "./json.ts";

/** Kinds of keys behind the addresses that a DID document can hold. */
export const KEY_TYPES = ["EcdsaSecp256k1", "Ed25519"] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** An account on a chain, as the owner lists it for the agent. Its ownership is not verified. */
export interface ChainAddress {
  /** CAIP-2: `eip155:<chain id>` or `solana:<genesis>`. */
  readonly chain: string;
  /**
   * The well-known name under which the owner listed the chain; absent when it was the CAIP-2 id.
   */
  readonly sentChain?: string;
  /** EIP-55, or base58 of the Ed25519 key. */
  readonly address: string;
  /** Text that the owner chose. */
  readonly label: string;
  readonly keyType: KeyType;
}

/** UTF-16 units of a label. */
export const MAX_LABEL_LENGTH = 64;

/** Chains with an accepted short name. All others are named by their CAIP-2 id. */
const CHAIN_NAMES: ReadonlyMap<string, string> = new Map([
  ["ethereum", "eip155:1"],
  ["optimism", "eip155:10"],
  ["bnb", "eip155:56"],
  ["gnosis", "eip155:100"],
  ["polygon", "eip155:137"],
  ["base", "eip155:8453"],
  ["arbitrum", "eip155:42161"],
  ["avalanche", "eip155:43114"],
  ["base-sepolia", "eip155:84532"],
  ["solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"],
  ["solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
]);

/** The address cannot be listed. */
export class InvalidChainAddressError extends ProtocolError {
  override readonly name = "InvalidChainAddressError";
  readonly code = "invalid_chain_address";

  constructor(
    readonly field: keyof ChainAddress,
    readonly reason: string,
  ) {
    super(`${field}: ${reason}.`);
  }
}

/**
 * The stored form of an address.
 *
 * @param input `chain` is a CAIP-2 id or a well-known chain name. An EIP-155 address may lack its
 * checksum, but must not have a wrong one.
 * @throws InvalidChainAddressError
 */
export function parseChainAddress(input: {
  readonly chain: string;
  readonly address: string;
  readonly label: string;
  readonly keyType: string;
}): ChainAddress {
  const { chain, address, keyType } = parseAccount(input);
  if (input.keyType !== keyType) {
    throw new InvalidChainAddressError("keyType", `accounts of ${chain} have ${keyType} keys`);
  }
  const listed = { chain, address, label: parsedLabel(input.label), keyType };
  return input.chain === chain ? listed : { ...listed, sentChain: input.chain };
}

/**
 * The stored form of an account; see {@link parseChainAddress}.
 * An account in the one form in which it is kept; see {@link parseChainAddress}.
 *
 * @throws InvalidChainAddressError
 */
export function parseAccount(input: {
  readonly chain: string;
  readonly address: string;
}): Pick<ChainAddress, "chain" | "address" | "keyType"> {
  const chain = CHAIN_NAMES.get(input.chain) ?? input.chain;
  return { chain, ...parsedAddress(chain, input.address) };
}

/** Whether `name` is a well-known name of the chain with this CAIP-2 id. */
export function isNameOfChain(name: string, chain: string): boolean {
  return CHAIN_NAMES.get(name) === chain;
}

/** CAIP-10 id of an account. */
export function accountId({ chain, address }: Pick<ChainAddress, "chain" | "address">): string {
  return `${chain}:${address}`;
}

/** The key of an Ed25519 account, 32 bytes. */
export function ed25519Key({ address }: Pick<ChainAddress, "address">): Uint8Array {
  return base58.decode(address);
}

function parsedAddress(chain: string, address: string): { address: string; keyType: KeyType } {
  const [, namespace, reference = ""] = /^([a-z0-9]+):([-_a-zA-Z0-9]+)$/.exec(chain) ?? [];
  if (namespace === "eip155" && isEip155Reference(reference)) {
    return { address: eip155Address(address), keyType: "EcdsaSecp256k1" };
  }
  if (namespace === "solana" && /^[1-9A-HJ-NP-Za-km-z]{32}$/.test(reference)) {
    return { address: solanaAddress(address), keyType: "Ed25519" };
  }
  throw new InvalidChainAddressError(
    "chain",
    `not eip155:<chain id>, solana:<genesis> or one of ${[...CHAIN_NAMES.keys()].join(", ")}`,
  );
}

function isEip155Reference(reference: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(reference) && Number.isSafeInteger(Number(reference));
}

function eip155Address(address: string): string {
  const spelled = /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address;
  if (isAddress(spelled, { strict: true }) && spelled !== zeroAddress) return getAddress(spelled);
  throw new InvalidChainAddressError("address", "not an address, or its checksum is wrong");
}

function solanaAddress(address: string): string {
  // The shortest form of 32 bytes has 32 characters, the longest 44: nothing longer is worth
  // decoding.
  const key = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) ? base58.decode(address) : null;
  const isKey = key?.length === 32 && key.some((byte) => byte !== 0);
  if (isKey) return address;
  throw new InvalidChainAddressError("address", "not the base58 form of a 32-byte key");
}

function parsedLabel(label: string): string {
  const trimmed = label.normalize("NFC").trim();
  const isText =
    trimmed.length >= 1 &&
    trimmed.length <= MAX_LABEL_LENGTH &&
    isWellFormed(trimmed) &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(trimmed);
  if (isText) return trimmed;
  throw new InvalidChainAddressError(
    "label",
    `not 1 to ${MAX_LABEL_LENGTH} printable characters of text`,
  );
}
