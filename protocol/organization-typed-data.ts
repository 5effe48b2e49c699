import type { Hex } from "viem";
import type { SigningDomain } from "./typed-data.ts";
import { SOUL_REGISTRY_TYPES, typedDataDomain } from "./typed-data.ts";

/**
 * The fields of `Join`, signed by the agent's owner, and of `Admission`, signed by the
 * organization's admin.
 */
const JOIN_FIELDS = [
  { name: "tokenId", type: "uint256" },
  { name: "epoch", type: "uint16" },
  { name: "organizationId", type: "uint256" },
  { name: "version", type: "uint32" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/**
 * The fields of `ChangeAdmin`, signed by the admin, and of `AcceptAdmin`, signed by the account
 * that it names.
 */
const ADMIN_FIELDS = [
  { name: "organizationId", type: "uint256" },
  { name: "newAdmin", type: "address" },
  { name: "version", type: "uint32" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/**
 * EIP-712 types of everything that is signed for the organization registry, in the order of the
 * contract's structs.
 */
export const ORGANIZATION_REGISTRY_TYPES = {
  CreateOrganization: [
    { name: "name", type: "string" },
    { name: "admin", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Join: JOIN_FIELDS,
  Admission: JOIN_FIELDS,
  Leave: JOIN_FIELDS,
  ChangeAdmin: ADMIN_FIELDS,
  AcceptAdmin: ADMIN_FIELDS,
  Admit: [
    { name: "registrationDigest", type: "bytes32" },
    { name: "organizationId", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
  Cancel: SOUL_REGISTRY_TYPES.Cancel,
} as const;

/** EIP-712 domain of everything that OrganizationRegistry verifies. */
export function organizationRegistryDomain(domain: SigningDomain) {
  return typedDataDomain("OrganizationRegistry", domain);
}

/**
 * What an organization's admin signs to admit an agent in the very transaction that registers it.
 */
export interface AdmitMessage {
  /**
   * EIP-712 digest of the registration that the agent's owner signed. The admission is valid for
   * this registration only.
   */
  registrationDigest: Hex;
  organizationId: bigint;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** EIP-712 type of an admission: the fields of `IOrganizationRegistry.Admit` in their order. */
export const ADMIT_TYPES = { Admit: ORGANIZATION_REGISTRY_TYPES.Admit } as const;

/**
 * Typed data of an admission. `verifyingContract` is the organization registry, not the soul
 * registry.
 */
export function admitTypedData(input: SigningDomain & { message: AdmitMessage }) {
  return {
    domain: organizationRegistryDomain(input),
    types: ADMIT_TYPES,
    primaryType: "Admit",
    message: input.message,
  } as const;
}
