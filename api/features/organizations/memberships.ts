import type { Address } from "viem";
import { encodeFunctionData, isAddressEqual } from "viem";
import { organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import { ApiError } from "../../kernel/errors.ts";
import {
  type ChainOperation,
  requiredAs,
  type Subject,
  signedAs,
} from "../../operations/operation.ts";
import { type ChainSoul, type ChainSouls, type OwnedSoul, ownerOf } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import { noSuchOrganization } from "./organizations.ts";
import type { OrganizationRegistry } from "./registry.chain.ts";
import {
  type ChainMembership,
  type ChainOrganization,
  consentOf,
  type MembershipMessage,
} from "./registry.ts";

export interface JoinRequest {
  readonly organizationId: bigint;
  readonly tokenId: bigint;
}

export interface LeaveRequest extends JoinRequest {
  /** Who ends it: the agent's owner or the admin. Null, where it is only prepared: the owner, or else the admin. */
  readonly signer: Address | null;
}

/** A change of an organization's members. */
export interface MembershipChange extends Omit<MembershipPayload, keyof JoinRequest> {
  /** In decimal, like the token id. */
  readonly organizationId: string;
  readonly tokenId: string;
  readonly memberCount: number;
}

interface Relation<Soul> {
  readonly soul: Soul;
  readonly organization: ChainOrganization;
  readonly membership: ChainMembership;
}

interface MembershipPayload extends JoinRequest {
  readonly passportId: bigint;
  readonly agentName: string;
}

export type JoinOperation = ChainOperation<
  JoinRequest,
  Relation<OwnedSoul>,
  MembershipPayload,
  MembershipChange
>;

type LeaveOperation = ChainOperation<
  LeaveRequest,
  Relation<ChainSoul>,
  MembershipPayload,
  MembershipChange
>;

/** Two signatures of contract wallets cost the most. */
const JOIN_GAS = 600_000n;
const LEAVE_GAS = 400_000n;
/** An invitation waits so long for the second signature. */
const INVITATION_MS = 7 * 24 * 60 * 60 * 1000;

/** An agent joins an organization: its owner and the organization's admin sign, once when they are the same account. */
export function joinOperation(registry: OrganizationRegistry, souls: ChainSouls): JoinOperation {
  const waits = { contract: "OrganizationRegistry", maxAheadMs: INVITATION_MS } as const;

  async function isMember({ tokenId, organizationId }: JoinRequest): Promise<boolean> {
    const soul = await souls.soul(tokenId);
    if (soul === null) return false;
    const membership = await registry.membership(tokenId, soul.block);
    return membership.organizationId === organizationId && membership.epoch === soul.epoch;
  }

  return {
    kind: "organization_join",
    settlement: "chain",
    messageTypes: {
      owner: { ...waits, primaryType: "Join" },
      admin: { ...waits, primaryType: "Admission" },
    },
    waiting: { isSuperseded: ({ request }) => isMember(request) },
    requestJson: (request) => json(request),

    async read({ tokenId, organizationId }) {
      const soul = await requireSoul(souls, tokenId, "owned");
      return { soul, ...(await relation(registry, { tokenId, organizationId }, soul.block)) };
    },

    signatures: (_request, { soul, organization: { admin } }) =>
      isAddressEqual(soul.owner, admin)
        ? [{ role: "owner", signer: soul.owner }]
        : [
            { role: "owner", signer: soul.owner },
            { role: "admin", signer: admin },
          ],
    subjects: subjectsOf,

    async plan({ tokenId, organizationId }, { soul, membership }) {
      const { epoch, name: agentName, passportId } = soul;
      if (membership.organizationId !== 0n && membership.epoch === epoch) {
        throw new ApiError("ALREADY_MEMBER", {
          message: `This agent is a member of organization ${membership.organizationId}. It must leave it first.`,
          details: { organizationId: membership.organizationId },
        });
      }
      const fields = { tokenId, epoch, organizationId, version: membership.version };
      return {
        messages: { owner: fields, admin: fields },
        payload: { tokenId, passportId, organizationId, agentName },
        secrets: null,
        items: [],
      };
    },

    gas: () => JOIN_GAS,
    call({ signatures }) {
      const { message, signature } = requiredAs<MembershipMessage>(signatures, "owner");
      const data = encodeFunctionData({
        abi: organizationRegistryAbi,
        functionName: "join",
        args: [message, signature, consentOf(signedAs(signatures, "admin"))],
      });
      return { to: registry.address, data };
    },
    async result({ signatures, payload }, { txHash }) {
      const digest = signatures[0]?.digest ?? "0x";
      return changeOf(payload, await registry.eventOf("MemberJoined", { txHash, digest }));
    },
    isSuperseded: ({ payload }) => isMember(payload),
  };
}

/** An agent leaves: its owner or the organization's admin ends the membership, also one that has no effect. */
export function leaveOperation(registry: OrganizationRegistry, souls: ChainSouls): LeaveOperation {
  return {
    kind: "organization_leave",
    settlement: "chain",
    messageTypes: { owner: { contract: "OrganizationRegistry", primaryType: "Leave" } },
    requestJson: (request) => ({ ...json(request), signer: request.signer }),

    async read({ tokenId, organizationId }) {
      const soul = await requireSoul(souls, tokenId, "registered");
      return { soul, ...(await relation(registry, { tokenId, organizationId }, soul.block)) };
    },

    signatures({ signer }, { soul, organization: { admin } }) {
      const owner = ownerOf(soul);
      const entitled = owner === null ? [admin] : [owner, admin];
      const ending = entitled.find((one) => signer === null || isAddressEqual(one, signer));
      if (ending === undefined) {
        throw new ApiError("NOT_OWNER", {
          message: "Only the agent's owner or the organization's admin may end this membership.",
        });
      }
      return [{ role: "owner", signer: ending }];
    },
    subjects: subjectsOf,

    async plan({ tokenId, organizationId }, { soul, membership }) {
      const { epoch, version } = membership;
      if (membership.organizationId !== organizationId) throw notMember(tokenId, organizationId);
      return {
        messages: { owner: { tokenId, epoch, organizationId, version } },
        payload: { tokenId, passportId: soul.passportId, organizationId, agentName: soul.name },
        secrets: null,
        items: [],
      };
    },

    gas: () => LEAVE_GAS,
    call({ signatures }) {
      const { message, signature, signer } = requiredAs<MembershipMessage>(signatures, "owner");
      const data = encodeFunctionData({
        abi: organizationRegistryAbi,
        functionName: "leaveOrganization",
        args: [message, signer, signature],
      });
      return { to: registry.address, data };
    },
    async result({ signatures, payload }, { txHash }) {
      const digest = signatures[0]?.digest ?? "0x";
      return changeOf(payload, await registry.eventOf("MemberLeft", { txHash, digest }));
    },
    async isSuperseded({ payload: { tokenId, organizationId } }) {
      const soul = await souls.soul(tokenId);
      if (soul === null) return false;
      const membership = await registry.membership(tokenId, soul.block);
      return membership.organizationId !== organizationId;
    },
  };
}

/** @throws ApiError NOT_FOUND without such an organization. */
async function relation(
  registry: OrganizationRegistry,
  { tokenId, organizationId }: JoinRequest,
  block: bigint,
) {
  const organization = await registry.organization(organizationId, block);
  if (organization === null) throw noSuchOrganization(organizationId);
  return { organization, membership: await registry.membership(tokenId, block) };
}

function notMember(tokenId: bigint, organizationId: bigint): ApiError {
  return new ApiError("NOT_FOUND", {
    message: `Agent ${tokenId} is not a member of organization ${organizationId}.`,
  });
}

function json({ tokenId, organizationId }: JoinRequest) {
  return { tokenId: tokenId.toString(), organizationId: organizationId.toString() };
}

function subjectsOf(
  { tokenId, organizationId }: JoinRequest,
  { soul: { epoch } }: { readonly soul: Pick<ChainSoul, "epoch"> },
): readonly Subject[] {
  return [
    { kind: "soul", id: tokenId, epoch },
    { kind: "organization", id: organizationId, epoch: null },
  ];
}

function changeOf(
  { organizationId, tokenId, passportId, agentName }: MembershipPayload,
  { memberCount }: { readonly memberCount: bigint },
): MembershipChange {
  return {
    organizationId: organizationId.toString(),
    tokenId: tokenId.toString(),
    passportId,
    agentName,
    memberCount: Number(memberCount),
  };
}
