import type { Address } from "viem";
import { type ChainOperation, requiredAs } from "../../operations/operation.ts";
import type { OrganizationRegistry } from "./registry.ts";

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
export function foundingOperation({
  registry,
}: {
  readonly registry: OrganizationRegistry;
}): FoundingOperation {
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
    call: ({ signatures }) => registry.createCall(requiredAs(signatures, "admin")),
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
