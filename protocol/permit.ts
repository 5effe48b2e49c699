import type { TypedDataDefinition } from "viem";
import type { SigningDomain } from "./typed-data.ts";

/** ERC-2612's message: `owner` lets `spender` take up to `value`. */
export const PERMIT_TYPES = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** The stablecoin's EIP-712 domain. */
export interface PermitDomain extends SigningDomain {
  readonly name: string;
  readonly version: string;
}

/** A permit as viem's signing and hashing functions take it. */
export function permitTypedData(domain: PermitDomain, message: object): TypedDataDefinition {
  return {
    domain,
    types: PERMIT_TYPES,
    primaryType: "Permit",
    message,
  } as unknown as TypedDataDefinition;
}
