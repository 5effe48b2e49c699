import type { Address, Hex, TypedDataDefinition } from "viem";
import { hashTypedData } from "viem";
import type { SignedContract, SigningDomain, StructFields } from "../../protocol/index.ts";
import { SIGNED_TYPES, typedDataDomain } from "../../protocol/index.ts";

/** The contracts of a deployment that verify signatures. */
interface SigningContracts {
  readonly chainId: number;
  readonly contracts: {
    readonly soulRegistry: Address;
    readonly organizationRegistry: Address;
    readonly allowanceVault: Address;
    readonly bindingRegistry: Address;
    readonly passportWriter: Address;
    readonly agentKeys: Address;
  };
}

export type SigningDomains = ReturnType<typeof createSigningDomains>;

/** The EIP-712 domains of a deployment. */
export function createSigningDomains({ chainId, contracts }: SigningContracts) {
  const addresses: Readonly<Record<SignedContract, Address>> = {
    SoulRegistry: contracts.soulRegistry,
    OrganizationRegistry: contracts.organizationRegistry,
    AllowanceVault: contracts.allowanceVault,
    BindingRegistry: contracts.bindingRegistry,
    PassportWriter: contracts.passportWriter,
    AgentKeys: contracts.agentKeys,
  };
  const of = (contract: SignedContract): SigningDomain => ({
    chainId,
    verifyingContract: addresses[contract],
  });

  /** Typed data as viem's signing and hashing functions take it. */
  function typedData(contract: SignedContract, primaryType: string, message: object) {
    const types: Readonly<Record<string, StructFields>> = SIGNED_TYPES[contract];
    if (types[primaryType] === undefined) {
      throw new Error(`${contract} verifies no ${primaryType}.`);
    }
    return {
      domain: typedDataDomain(contract, of(contract)),
      types: structsOf(types, primaryType),
      primaryType,
      message,
    } as unknown as TypedDataDefinition;
  }

  return {
    of,
    typedData,
    digest: (...signed: Parameters<typeof typedData>): Hex => hashTypedData(typedData(...signed)),
  };
}

/** A message's own type, and those of the structs in it. */
function structsOf(
  types: Readonly<Record<string, StructFields>>,
  name: string,
): Record<string, StructFields> {
  const fields = types[name];
  if (fields === undefined) return {};
  const inner = fields.map(({ type }) => structsOf(types, type.replace("[]", "")));
  return Object.assign({ [name]: fields }, ...inner) as Record<string, StructFields>;
}
