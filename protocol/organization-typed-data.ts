import type { Address, Hex } from "viem";

/** What an organization's admin signs to admit an agent in the very transaction that registers it. */
export interface AdmitMessage {
  /** EIP-712 digest of the registration that the agent's owner signed: it admits this one and no other. */
  registrationDigest: Hex;
  organizationId: bigint;
  nonce: bigint;
  /** Unix seconds, inclusive. */
  deadline: bigint;
}

/** EIP-712 type of an admission: the fields of `IOrganizationRegistry.Admit` in their order. */
export const ADMIT_TYPES = {
  Admit: [
    { name: "registrationDigest", type: "bytes32" },
    { name: "organizationId", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** Typed data of an admission. `verifyingContract` is the organization registry, not the soul registry. */
export function admitTypedData(input: {
  chainId: number;
  verifyingContract: Address;
  message: AdmitMessage;
}) {
  const { chainId, verifyingContract, message } = input;
  return {
    domain: { name: "OrganizationRegistry", version: "1", chainId, verifyingContract },
    types: ADMIT_TYPES,
    primaryType: "Admit",
    message,
  } as const;
}
