import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  zeroAddress,
  zeroHash,
} from "viem";
import type { AgentTypeIndex } from "./agent-type.ts";

/** EIP-712 types of a registration: the fields of `ISoulRegistry.Registration` in their order. */
export const REGISTRATION_TYPES = {
  Registration: [
    { name: "name", type: "string" },
    { name: "agentType", type: "uint8" },
    { name: "owner", type: "address" },
    { name: "operator", type: "address" },
    { name: "soulHash", type: "bytes32" },
    { name: "soulMerkleRoot", type: "bytes32" },
    { name: "contentHash", type: "bytes32" },
    { name: "bindPassport", type: "bool" },
    { name: "passportId", type: "uint256" },
    { name: "agentURI", type: "string" },
    { name: "parentTokenId", type: "uint256" },
    { name: "organizationId", type: "uint256" },
    { name: "seal", type: "bool" },
    { name: "humanVerifier", type: "address" },
    { name: "humanProofHash", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** The message with which an owner cancels a signature, for every contract that verifies owners. */
const CANCEL = [
  { name: "signer", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/**
 * EIP-712 types of everything else that owners sign for the soul registry, in the order of the
 * contract's structs.
 */
export const SOUL_REGISTRY_TYPES = {
  ...REGISTRATION_TYPES,
  RegistrationBatch: [
    { name: "owner", type: "address" },
    { name: "organizationId", type: "uint256" },
    { name: "leaveOutTakenNames", type: "bool" },
    { name: "entries", type: "BatchEntry[]" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  BatchEntry: [
    { name: "name", type: "string" },
    { name: "agentType", type: "uint8" },
    { name: "operator", type: "address" },
    { name: "soulHash", type: "bytes32" },
    { name: "soulMerkleRoot", type: "bytes32" },
    { name: "contentHash", type: "bytes32" },
  ],
  Seal: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "soulHash", type: "bytes32" },
    { name: "soulMerkleRoot", type: "bytes32" },
    { name: "contentHash", type: "bytes32" },
    { name: "agentURI", type: "string" },
    { name: "humanVerifier", type: "address" },
    { name: "humanProofHash", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  RecordEvolution: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "category", type: "string" },
    { name: "changeType", type: "string" },
    { name: "previousSoulHash", type: "bytes32" },
    { name: "newSoulHash", type: "bytes32" },
    { name: "newSoulMerkleRoot", type: "bytes32" },
    { name: "dataHash", type: "bytes32" },
    { name: "agentURI", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Reseal: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "newOwner", type: "address" },
    { name: "operator", type: "address" },
    { name: "observedBlock", type: "uint64" },
    { name: "soulHash", type: "bytes32" },
    { name: "soulMerkleRoot", type: "bytes32" },
    { name: "contentHash", type: "bytes32" },
    { name: "agentURI", type: "string" },
    { name: "humanVerifier", type: "address" },
    { name: "humanProofHash", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Release: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "newOwner", type: "address" },
    { name: "observedBlock", type: "uint64" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Burn: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "reasonHash", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Suspend: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  SetDidArchive: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "previousArchiveId", type: "bytes32" },
    { name: "archiveId", type: "bytes32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: CANCEL,
} as const;

/**
 * EIP-712 types that owners sign for the passport writer. It has its own version, see
 * `IPassportWriter.versionOf`.
 */
export const PASSPORT_WRITER_TYPES = {
  SetAgentURI: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "previousURIHash", type: "bytes32" },
    { name: "agentURI", type: "string" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  SetMetadata: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "key", type: "string" },
    { name: "previousValueHash", type: "bytes32" },
    { name: "value", type: "bytes" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: CANCEL,
} as const;

/**
 * EIP-712 types of what owners sign for the binding registry, in the order of the contract's
 * structs.
 */
export const BINDING_REGISTRY_TYPES = {
  SetBinding: [
    { name: "fromTokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "toTokenId", type: "uint256" },
    { name: "toEpoch", type: "uint16" },
    { name: "trustLevel", type: "uint8" },
    { name: "context", type: "string" },
    { name: "version", type: "uint32" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: CANCEL,
} as const;

/** EIP-712 types of what owners sign for AgentKeys, in the order of the contract's structs. */
export const AGENT_KEYS_TYPES = {
  SetAgentKeys: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint32" },
    { name: "keysHash", type: "bytes32" },
    { name: "archiveId", type: "bytes32" },
    { name: "onlyWithAgentWallet", type: "bool" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: CANCEL,
} as const;

/**
 * EIP-712 types of everything that AllowanceVault verifies, in the order of the contract's structs. Owners sign all but
 * `Payment`, which the agent's operator signs.
 */
export const ALLOWANCE_VAULT_TYPES = {
  SetAllowance: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint16" },
    { name: "perTransaction", type: "uint56" },
    { name: "dailyLimit", type: "uint56" },
    { name: "validUntil", type: "uint32" },
    { name: "onlyWithAgentWallet", type: "bool" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  DeactivateAllowance: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint16" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Payment: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "allowanceVersion", type: "uint16" },
    { name: "operator", type: "address" },
    { name: "recipient", type: "address" },
    { name: "amount", type: "uint256" },
    { name: "paymentRef", type: "bytes32" },
    { name: "termsHash", type: "bytes32" },
    { name: "redeemer", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: CANCEL,
} as const;

/** What an owner signs to register an agent. See `ISoulRegistry.Registration` for each field. */
export interface RegistrationMessage {
  name: string;
  agentType: AgentTypeIndex;
  owner: Address;
  /** The zero address when the owner acts for the agent. */
  operator: Address;
  soulHash: Hex;
  soulMerkleRoot: Hex;
  contentHash: Hex;
  bindPassport: boolean;
  passportId: bigint;
  /** Next URI of an existing passport; empty keeps the present one. Empty for a new passport. */
  agentURI: string;
  parentTokenId: bigint;
  organizationId: bigint;
  seal: boolean;
  /** The adapter of the human proof; the zero address for none. */
  humanVerifier: Address;
  /** See {@link humanProofHash}. */
  humanProofHash: Hex;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** EIP-712 types of the ERC-8004 identity registry's `setAgentWallet`. */
export const AGENT_WALLET_TYPES = {
  AgentWalletSet: [
    { name: "agentId", type: "uint256" },
    { name: "newWallet", type: "address" },
    { name: "owner", type: "address" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** What the new wallet signs (not the owner) so that the passport's owner may name it. */
export interface AgentWalletMessage {
  agentId: bigint;
  newWallet: Address;
  owner: Address;
  /** Unix seconds, at most 5 minutes ahead of the block that uses it. */
  deadline: bigint;
}

/** Chain and contract of an EIP-712 domain. */
export interface SigningDomain {
  chainId: number;
  /** The contract that verifies the signature. */
  verifyingContract: Address;
}

/**
 * The EIP-712 type of every domain here. `eth_signTypedData_v4` requires it among the types; viem
 * adds it itself.
 */
export const EIP712_DOMAIN_TYPE = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
] as const;

/** The versions of the domains whose structs changed. All others are version 1. */
const DOMAIN_VERSIONS: Readonly<Record<string, string>> = {
  AgentKeys: "2",
  SoulRegistry: "2",
  AllowanceVault: "2",
};

/** The version in the EIP-712 domain of a contract. */
export function domainVersion(contract: string): string {
  return DOMAIN_VERSIONS[contract] ?? "1";
}

/** An EIP-712 domain: each contract here has its own name and version. */
export function typedDataDomain<Name extends string>(
  name: Name,
  { chainId, verifyingContract }: SigningDomain,
) {
  return { name, version: domainVersion(name), chainId, verifyingContract } as const;
}

/** EIP-712 domain of everything that SoulRegistry verifies. */
export function soulRegistryDomain(domain: SigningDomain) {
  return typedDataDomain("SoulRegistry", domain);
}

/**
 * What an owner signs to set how far its agent trusts another. See `IBindingRegistry.SetBinding`
 * for each field.
 */
export interface SetBindingMessage {
  fromTokenId: bigint;
  epoch: number;
  toTokenId: bigint;
  toEpoch: number;
  /** In the order of `IBindingRegistry.TrustLevel`. */
  trustLevel: number;
  context: string;
  /** `recordOf(fromTokenId, toTokenId).version` of the binding registry. */
  version: number;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** The typed data of a binding. `verifyingContract` is the binding registry. */
export function setBindingTypedData(input: SigningDomain & { message: SetBindingMessage }) {
  return {
    domain: typedDataDomain("BindingRegistry", input),
    types: { SetBinding: BINDING_REGISTRY_TYPES.SetBinding },
    primaryType: "SetBinding",
    message: input.message,
  } as const;
}

/** A proof that an owner is human, as the soul registry takes it. */
export interface HumanProof {
  /** The adapter that checks `data`. */
  readonly verifier: Address;
  readonly data: Hex;
}

/** No proof at all, as the soul registry takes it. */
export const NO_HUMAN_PROOF: HumanProof = { verifier: zeroAddress, data: "0x" };

/**
 * What an owner signs so that the registrar can neither omit, add nor replace a human proof: zero
 * for no proof.
 */
export function humanProofHash({ verifier, data }: HumanProof): Hex {
  if (verifier === zeroAddress && data === "0x") return zeroHash;
  return keccak256(encodeAbiParameters([{ type: "address" }, { type: "bytes" }], [verifier, data]));
}

/** EIP-712 domain of everything that AllowanceVault verifies. */
export function allowanceVaultDomain(domain: SigningDomain) {
  return typedDataDomain("AllowanceVault", domain);
}

/** The typed data of a registration, as viem's signing and hashing functions take it. */
export function registrationTypedData(input: SigningDomain & { message: RegistrationMessage }) {
  return {
    domain: soulRegistryDomain(input),
    types: REGISTRATION_TYPES,
    primaryType: "Registration",
    message: input.message,
  } as const;
}

/**
 * Typed data to set a passport's agent wallet. `verifyingContract` is the ERC-8004 identity
 * registry.
 */
export function agentWalletTypedData(input: SigningDomain & { message: AgentWalletMessage }) {
  return {
    domain: typedDataDomain("ERC8004IdentityRegistry", input),
    types: AGENT_WALLET_TYPES,
    primaryType: "AgentWalletSet",
    message: input.message,
  } as const;
}

/**
 * What an owner signs to record a change of the agent. See `ISoulRegistry.RecordEvolution` for each
 * field.
 */
export interface RecordEvolutionMessage {
  tokenId: bigint;
  epoch: number;
  /** The registry's `versionOf`: invalid after any later decision of an owner. */
  version: number;
  category: string;
  changeType: string;
  previousSoulHash: Hex;
  /** Zero, like the root, unless the soul was revised. */
  newSoulHash: Hex;
  newSoulMerkleRoot: Hex;
  dataHash: Hex;
  /** Of a revision: next URI of the passport. Empty keeps the present one. */
  agentURI: string;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** EIP-712 types of {@link recordEvolutionTypedData}. */
export const RECORD_EVOLUTION_TYPES = {
  RecordEvolution: SOUL_REGISTRY_TYPES.RecordEvolution,
} as const;

/** The ids that the files of a batch name, see `ISoulRegistry.BatchExpectation`: none. */
export const NO_EXPECTED_IDS = { firstTokenId: 0n, firstPassportId: 0n } as const;

/** The typed data of a recorded change, as viem's signing and hashing functions take it. */
export function recordEvolutionTypedData(
  input: SigningDomain & { message: RecordEvolutionMessage },
) {
  return {
    domain: soulRegistryDomain(input),
    types: RECORD_EVOLUTION_TYPES,
    primaryType: "RecordEvolution",
    message: input.message,
  } as const;
}
