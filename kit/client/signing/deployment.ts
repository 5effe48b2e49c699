import type { Address } from "viem";
import { ApiError } from "../api-error.ts";

/**
 * Chain and contracts, from a source that you trust: the file of the deployment, or the package's
 * `/contracts`. Never from the service: it could have you sign for another contract.
 */
export interface SigningDeployment {
  readonly chainId: number;
  readonly contracts: Readonly<Record<string, Address | null | undefined>>;
}

/** @throws ApiError INVALID_INPUT where the deployment does not name the contract. */
export function contractOf({ contracts }: SigningDeployment, name: string): Address {
  const address = contracts[name];
  if (address) return address;
  throw new ApiError("INVALID_INPUT", `The deployment names no contract ${name}.`);
}
