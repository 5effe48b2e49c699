import { type Abi, type Address, type Hex, keccak256, type PublicClient, toBytes } from "viem";
import {
  alignmentRegistryAbi,
  bindingRegistryAbi,
  chronicleAnchorAbi,
  registrarsAbi,
} from "../../../../protocol/generated/abi.ts";
import type { Deployment } from "../../config/deployment.ts";

interface ServiceRole {
  readonly contract: "registrars" | "bindingRegistry" | "chronicleAnchor" | "alignmentRegistry";
  readonly abi: Abi;
  readonly role: string;
  /** Option of `npm run deploy` that names its first holder. */
  readonly option: string;
}

/** What the relayer signs for, by the contract that demands the role. */
const SERVICE_ROLES: readonly ServiceRole[] = [
  {
    contract: "registrars",
    abi: registrarsAbi,
    role: "REGISTRAR_ROLE",
    option: "--registrar",
  },
  { contract: "bindingRegistry", abi: bindingRegistryAbi, role: "BINDER_ROLE", option: "--binder" },
  {
    contract: "chronicleAnchor",
    abi: chronicleAnchorAbi,
    role: "ANCHOR_ROLE",
    option: "--anchorer",
  },
  {
    contract: "alignmentRegistry",
    abi: alignmentRegistryAbi,
    role: "ALIGNMENT_ROLE",
    option: "--recorder",
  },
];

/** A role that an account does not hold. */
interface MissingRole extends Omit<ServiceRole, "abi"> {
  readonly address: Address;
  /** The role's value in the contract. */
  readonly id: Hex;
}

/** The service's roles that `account` does not hold. */
export async function missingRoles(
  client: PublicClient,
  contracts: Deployment["contracts"],
  account: Address,
): Promise<MissingRole[]> {
  const found = await Promise.all(
    SERVICE_ROLES.map(async ({ contract, abi, role, option }) => {
      const address = contracts[contract];
      const id = keccak256(toBytes(role));
      const args = [id, account];
      const has = await client.readContract({ address, abi, functionName: "hasRole", args });
      return has === true ? [] : [{ contract, role, option, address, id }];
    }),
  );
  return found.flat();
}
