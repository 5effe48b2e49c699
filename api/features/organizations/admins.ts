import type { Address } from "viem";
import { encodeFunctionData, isAddressEqual, zeroAddress } from "viem";
import { organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { ApiError } from "../../kernel/errors.ts";
import {
  type ChainOperation,
  type GivenSignature,
  type MessageType,
  requiredAs,
  type Subject,
  signedAs,
} from "../../operations/operation.ts";
import { noSuchOrganization } from "./organizations.ts";
import type { OrganizationRegistry } from "./registry.chain.ts";
import { type AdminMessage, type ChainOrganization, consentOf } from "./registry.ts";

export interface AdminRequest {
  readonly organizationId: bigint;
  /** The zero address takes a naming back. */
  readonly newAdmin: Address;
}

/** A hand-over that its new admin accepts. */
export interface AcceptRequest {
  readonly organizationId: bigint;
}

interface AdminPayload extends AdminRequest {
  readonly previousAdmin: Address;
}

export interface AdminChange extends Omit<AdminPayload, "organizationId"> {
  /** In decimal. */
  readonly organizationId: string;
}

type Operation<Request> = ChainOperation<Request, ChainOrganization, AdminPayload, AdminChange>;

const GAS = 400_000n;
const DAY_MS = 24 * 60 * 60 * 1000;

const CHANGE: MessageType = {
  contract: "OrganizationRegistry",
  primaryType: "ChangeAdmin",
  maxAheadMs: 7 * DAY_MS,
};
const ACCEPT: MessageType = { ...CHANGE, primaryType: "AcceptAdmin" };

/** The admin names the next one, who has no rights before accepting. */
export function namingOperation(registry: OrganizationRegistry): Operation<AdminRequest> {
  return {
    ...adminOperation<AdminRequest>(registry),
    kind: "organization_admin_name",
    messageTypes: { admin: CHANGE },
    requestJson: namingJson,
    signatures: (_request, { admin }) => [{ role: "admin", signer: admin }],
    plan: async (request, organization) => ({
      messages: { admin: namingFields(request, organization) },
      payload: payloadOf(request.newAdmin, organization),
      secrets: null,
      items: [],
    }),
    call: ({ signatures }) => changeCall(registry, signatures),
    async isSuperseded({ payload: { organizationId, newAdmin } }) {
      const organization = await registry.organization(organizationId);
      return isAddressEqual(organization?.pendingAdmin ?? zeroAddress, newAdmin);
    },
  };
}

/** The admin hands over to one who accepts in the same transaction. */
export function handOverOperation(registry: OrganizationRegistry): Operation<AdminRequest> {
  return {
    ...adminOperation<AdminRequest>(registry),
    kind: "organization_admin_change",
    messageTypes: { admin: CHANGE, newAdmin: ACCEPT },
    requestJson: namingJson,
    signatures: ({ newAdmin }, { admin }) => [
      { role: "admin", signer: admin },
      { role: "newAdmin", signer: newAdmin },
    ],
    plan: async (request, organization) => {
      const fields = namingFields(request, organization);
      return {
        // The naming raises the version, and its acceptance signs over the raised one.
        messages: { admin: fields, newAdmin: { ...fields, version: fields.version + 1 } },
        payload: payloadOf(request.newAdmin, organization),
        secrets: null,
        items: [],
      };
    },
    call: ({ signatures }) => changeCall(registry, signatures),
    isSuperseded: ({ payload }) => hasAdmin(registry, payload),
  };
}

/** The named account takes over. */
export function acceptOperation(registry: OrganizationRegistry): Operation<AcceptRequest> {
  return {
    ...adminOperation<AcceptRequest>(registry),
    kind: "organization_admin_accept",
    messageTypes: { newAdmin: ACCEPT },
    requestJson: ({ organizationId }) => ({ organizationId: organizationId.toString() }),
    signatures: (_request, organization) => [
      { role: "newAdmin", signer: pendingAdminOf(organization) },
    ],
    plan: async (_request, organization) => {
      const { organizationId, version } = organization;
      const newAdmin = pendingAdminOf(organization);
      return {
        messages: { newAdmin: { organizationId, newAdmin, version } },
        payload: payloadOf(newAdmin, organization),
        secrets: null,
        items: [],
      };
    },
    call({ signatures }) {
      const { message, signature } = requiredAs<AdminMessage>(signatures, "newAdmin");
      const data = encodeFunctionData({
        abi: organizationRegistryAbi,
        functionName: "acceptAdmin",
        args: [message, signature],
      });
      return { to: registry.address, data };
    },
    isSuperseded: ({ payload }) => hasAdmin(registry, payload),
  };
}

/** What the three have in common. */
function adminOperation<Request extends AcceptRequest>(
  registry: OrganizationRegistry,
): Pick<Operation<Request>, "settlement" | "read" | "subjects" | "gas" | "result"> {
  return {
    settlement: "chain",
    async read({ organizationId }) {
      const organization = await registry.organization(organizationId);
      if (organization === null) throw noSuchOrganization(organizationId);
      return organization;
    },
    subjects: ({ organizationId }): readonly Subject[] => [
      { kind: "organization", id: organizationId, epoch: null },
    ],
    // An organization was founded with a share of the gas, and its admins may be wallets without agents.
    gas: () => GAS,
    result: async ({ payload: { organizationId, previousAdmin, newAdmin } }) => ({
      organizationId: organizationId.toString(),
      previousAdmin,
      newAdmin,
    }),
  };
}

/** Without the next admin's signature, the naming is left to be accepted later. */
function changeCall(registry: OrganizationRegistry, signatures: readonly GivenSignature[]) {
  const { message, signature } = requiredAs<AdminMessage>(signatures, "admin");
  const data = encodeFunctionData({
    abi: organizationRegistryAbi,
    functionName: "changeAdmin",
    args: [message, signature, consentOf(signedAs(signatures, "newAdmin"))],
  });
  return { to: registry.address, data };
}

function namingJson({ organizationId, newAdmin }: AdminRequest) {
  return { organizationId: organizationId.toString(), newAdmin };
}

function namingFields({ newAdmin }: AdminRequest, { organizationId, version }: ChainOrganization) {
  return { organizationId, newAdmin, version };
}

function payloadOf(
  newAdmin: Address,
  { organizationId, admin: previousAdmin }: ChainOrganization,
): AdminPayload {
  return { organizationId, previousAdmin, newAdmin };
}

/** @throws ApiError FORBIDDEN while no account is named. */
function pendingAdminOf({ pendingAdmin, organizationId }: ChainOrganization): Address {
  if (pendingAdmin !== null) return pendingAdmin;
  throw new ApiError("FORBIDDEN", {
    message: `No next admin is named for organization ${organizationId}. Its admin must name one first.`,
  });
}

async function hasAdmin(
  registry: OrganizationRegistry,
  { organizationId, newAdmin }: AdminPayload,
): Promise<boolean> {
  const organization = await registry.organization(organizationId);
  return organization !== null && isAddressEqual(organization.admin, newAdmin);
}
