import type { Address } from "viem";
import type { OwnerMessageContract, OwnerMessageName, SigningPlace } from "../../protocol/index.ts";
import { OWNER_MESSAGE_CONTRACTS } from "../../protocol/index.ts";

/** Of a deployment, the contracts that verify owners' decisions. */
export interface SigningContracts {
  readonly chainId: number;
  readonly contracts: {
    readonly soulRegistry: Address;
    readonly passportWriter: Address;
    readonly agentKeys: Address;
  };
}

/** Where a message of each type is signed: the chain, and the contract that verifies it. */
export function signingPlaces({
  chainId,
  contracts,
}: SigningContracts): (name: OwnerMessageName) => SigningPlace {
  const addresses: Readonly<Record<OwnerMessageContract, Address>> = {
    SoulRegistry: contracts.soulRegistry,
    PassportWriter: contracts.passportWriter,
    AgentKeys: contracts.agentKeys,
  };
  return (name) => ({ chainId, verifyingContract: addresses[OWNER_MESSAGE_CONTRACTS[name]] });
}
