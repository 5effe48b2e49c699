import type { Hex, TypedDataDefinition } from "viem";
import { hashTypedData } from "viem";
import type { MessageOf } from "./message-of.ts";
import type { SigningDomain } from "./typed-data.ts";
import {
  AGENT_KEYS_TYPES,
  PASSPORT_WRITER_TYPES,
  SOUL_REGISTRY_TYPES,
  soulRegistryDomain,
  typedDataDomain,
} from "./typed-data.ts";

/**
 * Owner decisions on one soul that a contract verifies, by the name of their EIP-712 type.
 * {@link OWNER_MESSAGE_CONTRACTS} names the contract of each. Each contract has its own version
 * counter.
 */
export const OWNER_MESSAGE_TYPES = {
  Seal: SOUL_REGISTRY_TYPES.Seal,
  Reseal: SOUL_REGISTRY_TYPES.Reseal,
  Release: SOUL_REGISTRY_TYPES.Release,
  Burn: SOUL_REGISTRY_TYPES.Burn,
  Suspend: SOUL_REGISTRY_TYPES.Suspend,
  SetDidArchive: SOUL_REGISTRY_TYPES.SetDidArchive,
  SetAgentURI: PASSPORT_WRITER_TYPES.SetAgentURI,
  SetMetadata: PASSPORT_WRITER_TYPES.SetMetadata,
  SetAgentKeys: AGENT_KEYS_TYPES.SetAgentKeys,
} as const;

export type OwnerMessageName = keyof typeof OWNER_MESSAGE_TYPES;

/** The contract that verifies each message: the name of its EIP-712 domain. */
export const OWNER_MESSAGE_CONTRACTS = {
  Seal: "SoulRegistry",
  Reseal: "SoulRegistry",
  Release: "SoulRegistry",
  Burn: "SoulRegistry",
  Suspend: "SoulRegistry",
  SetDidArchive: "SoulRegistry",
  SetAgentURI: "PassportWriter",
  SetMetadata: "PassportWriter",
  SetAgentKeys: "AgentKeys",
} as const satisfies Readonly<Record<OwnerMessageName, string>>;

/** A contract that verifies owner decisions on one soul. */
export type OwnerMessageContract = (typeof OWNER_MESSAGE_CONTRACTS)[OwnerMessageName];

/** A message of that type. */
export type OwnerMessage<Name extends OwnerMessageName = OwnerMessageName> =
  Name extends OwnerMessageName ? MessageOf<(typeof OWNER_MESSAGE_TYPES)[Name]> : never;

/** The fields that every such message has. */
export type CommonOwnerField = "tokenId" | "epoch" | "version" | "nonce" | "deadline";

/** A message as JSON: `uint64` and `uint256` as decimal strings, everything else as it is. */
export type OwnerMessageJson = Readonly<Record<string, string | number | boolean>>;

/**
 * The typed data of an owner's decision, for viem's signing and hashing functions. `domain` names
 * the contract of {@link OWNER_MESSAGE_CONTRACTS}.
 */
export function ownerTypedData<Name extends OwnerMessageName>(
  domain: SigningDomain,
  name: Name,
  message: OwnerMessage<Name>,
) {
  return {
    domain: typedDataDomain(OWNER_MESSAGE_CONTRACTS[name], domain),
    types: { [name]: OWNER_MESSAGE_TYPES[name] } as Pick<typeof OWNER_MESSAGE_TYPES, Name>,
    primaryType: name,
    message,
  };
}

/** EIP-712 digest of an owner's decision: it is signed, and the contract's `NonceUsed` names it. */
export function ownerMessageDigest<Name extends OwnerMessageName>(
  domain: SigningDomain,
  name: Name,
  message: OwnerMessage<Name>,
): Hex {
  return hashTypedData(ownerTypedData(domain, name, message) as unknown as TypedDataDefinition);
}

/** An owner message in its JSON form. */
export function messageJson(message: OwnerMessage | OffChainMessage): OwnerMessageJson {
  return Object.fromEntries(
    Object.entries(message).map(([field, value]: [string, string | number | boolean | bigint]) => [
      field,
      typeof value === "bigint" ? value.toString() : value,
    ]),
  );
}

/** Reverses {@link messageJson}. */
export function ownerMessageOf<Name extends OwnerMessageName>(
  name: Name,
  json: OwnerMessageJson,
): OwnerMessage<Name> {
  const fields = OWNER_MESSAGE_TYPES[name].map(({ name: field, type }) => {
    const value = json[field];
    if (value === undefined) throw new TypeError(`A ${name} has a ${field}.`);
    return [field, type === "uint64" || type === "uint256" ? BigInt(value) : value];
  });
  return Object.fromEntries(fields) as OwnerMessage<Name>;
}

/**
 * EIP-712 types that owners sign for this service only. No contract uses their names, so such a
 * signature has no effect on chain.
 */
export const OFF_CHAIN_TYPES = {
  AgentUriUpdate: [
    { name: "agentId", type: "uint256" },
    { name: "previousURIHash", type: "bytes32" },
    { name: "agentURI", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  ValidateAgent: [
    { name: "tokenId", type: "uint256" },
    { name: "agentId", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  EmergencyStop: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  ListInvitations: [
    { name: "account", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  EndInvitation: [
    { name: "account", type: "address" },
    { name: "invitationId", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  ExportPrivateData: [
    { name: "account", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  DeletePrivateData: [
    { name: "account", type: "address" },
    { name: "salts", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  RegulatoryAudit: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "regulatoryBody", type: "string" },
    { name: "regulatoryDid", type: "string" },
    { name: "scope", type: "string" },
    { name: "auditReference", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  OrganizationAudit: [
    { name: "organizationId", type: "uint256" },
    { name: "regulatoryBody", type: "string" },
    { name: "regulatoryDid", type: "string" },
    { name: "scope", type: "string" },
    { name: "auditReference", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

export type OffChainName = keyof typeof OFF_CHAIN_TYPES;

export type OffChainMessage<Name extends OffChainName = OffChainName> = Name extends OffChainName
  ? MessageOf<(typeof OFF_CHAIN_TYPES)[Name]>
  : never;

/** The typed data of a message for this service only. */
export function offChainTypedData<Name extends OffChainName>(
  domain: SigningDomain,
  name: Name,
  message: OffChainMessage<Name>,
) {
  return {
    domain: soulRegistryDomain(domain),
    types: { [name]: OFF_CHAIN_TYPES[name] } as Pick<typeof OFF_CHAIN_TYPES, Name>,
    primaryType: name,
    message,
  };
}

/** Its EIP-712 digest. */
export function offChainDigest<Name extends OffChainName>(
  domain: SigningDomain,
  name: Name,
  message: OffChainMessage<Name>,
): Hex {
  return hashTypedData(offChainTypedData(domain, name, message) as unknown as TypedDataDefinition);
}
