import { type Address, encodeFunctionData } from "viem";
import { organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { type ChainOperation, requiredAs } from "../../operations/operation.ts";
import type { OrganizationRegistry } from "./registry.chain.ts";
import type { CreateOrganizationMessage } from "./registry.ts";

export interface FoundingRequest {
  readonly name: string;
  readonly admin: Address;
}

export interface Founded {
  /** In decimal. */
  readonly organizationId: string;
  readonly name: string;
  readonly admin: Address;
  /** ISO 8601. */
  readonly createdAt: string;
}

type FoundingOperation = ChainOperation<FoundingRequest, null, FoundingRequest, Founded>;

/** A name of 64 bytes takes two thirds of it. */
const GAS = 250_000n;

/** Founds an organization. Its admin signs. */
export function foundingOperation(registry: OrganizationRegistry): FoundingOperation {
  return {
    kind: "organization_create",
    settlement: "chain",
    messageTypes: {
      admin: { contract: "OrganizationRegistry", primaryType: "CreateOrganization" },
    },
    requestJson: ({ name, admin }) => ({ name, admin }),
    read: async () => null,
    signatures: ({ admin }) => [{ role: "admin", signer: admin }],
    subjects: () => [],
    plan: async ({ name, admin }) => ({
      messages: { admin: { name, admin } },
      payload: { name, admin },
      secrets: null,
      items: [],
    }),
    gas: () => GAS,
    call({ signatures }) {
      const { message, signature } = requiredAs<CreateOrganizationMessage>(signatures, "admin");
      const data = encodeFunctionData({
        abi: organizationRegistryAbi,
        functionName: "create",
        args: [message, signature],
      });
      return { to: registry.address, data };
    },
    async result({ signatures, payload }, { txHash, blockNumber }) {
      const digest = signatures[0]?.digest ?? "0x";
      const { organizationId } = await registry.eventOf("OrganizationCreated", { txHash, digest });
      const createdAt = await registry.blockTime(blockNumber);
      return {
        organizationId: organizationId.toString(),
        name: payload.name,
        admin: payload.admin,
        createdAt: createdAt.toISOString(),
      };
    },
  };
}
