import { type Address, encodePacked, keccak256, stringToBytes, zeroAddress, zeroHash } from "viem";
import { agentKeySet, agentKeysHash } from "../../../protocol/agent-keys.ts";
import { eachAmount } from "../../../protocol/allowance.ts";
import { NAMED_VALUES } from "../../../protocol/signed-messages.ts";
import type { OperationId } from "../operation-types.ts";
import type { Fields } from "./check.ts";
import {
  type ContentContext,
  chronicleFields,
  entryFields,
  registrationFields,
  unknownContent,
} from "./content.ts";
import { contractOf } from "./deployment.ts";

// Everything that owners sign over HTTP, and what each message must say. A field that is not here
// cannot be known without the service or the chain: the caller decides about it.

export interface SignedInput extends ContentContext {
  readonly path: Fields;
  readonly body: Fields;
  readonly signer: Address;
  readonly message: Fields;
}

export interface SignedOperation {
  /** Answers with the typed data. */
  readonly prepare: OperationId;
  /** The messages that it may ask for, as `SoulRegistry.Burn`. */
  readonly messages: (input: SignedInput) => readonly string[];
  readonly fields: (input: SignedInput) => Fields;
  /** The body of `prepare`; path and body of the operation, where it is absent. */
  readonly prepareBody?: (input: SignedInput) => Fields;
  /** What is behind a hash among the fields, and the client cannot know. */
  readonly unknown?: (input: SignedInput) => Fields;
  /** The longest time until the deadline in seconds; a day, where it is absent. */
  readonly maxSeconds?: number;
}

const one = (message: string) => () => [message];
const REGISTRATION = one("SoulRegistry.Registration");
const tokenOf = ({ path, body }: SignedInput) => path.tokenId ?? body.tokenId;
const organizationOf = ({ path, body }: SignedInput) =>
  path.organizationId ?? body.organizationId ?? body.fleetId;
const proofOf = ({ body }: SignedInput) =>
  body.humanProof === undefined && body.worldIdProof === undefined
    ? { humanVerifier: zeroAddress, humanProofHash: zeroHash }
    : {};
const allowance: SignedOperation = {
  prepare: "prepareAllowance",
  messages: one("AllowanceVault.SetAllowance"),
  fields: (input) => ({
    tokenId: tokenOf(input),
    ...eachAmount((name) => input.body[name]),
    validUntil:
      input.body.validUntil === undefined
        ? undefined
        : Math.floor(Date.parse(String(input.body.validUntil)) / 1000),
    onlyWithAgentWallet: input.body.onlyWithAgentWallet ?? false,
  }),
};

export const SIGNED_OPERATIONS = {
  registerAgent: {
    prepare: "prepareRegistration",
    messages: REGISTRATION,
    fields: (input) => registrationFields(input.body, input),
    unknown: (input) => unknownContent(input.body, input),
  },
  claimAgent: {
    prepare: "prepareClaim",
    messages: REGISTRATION,
    fields: ({ body }) => ({ owner: body.ownerAddress, seal: body.seal ?? true }),
  },
  reincarnateAgent: {
    prepare: "prepareReincarnation",
    messages: REGISTRATION,
    fields: (input) =>
      registrationFields({ ...input.body, agentName: input.body.newAgentName }, input),
    unknown: (input) => unknownContent(input.body, input),
  },
  registerBatch: {
    prepare: "prepareBatchRegistration",
    messages: one("SoulRegistry.RegistrationBatch"),
    fields: (input) => ({
      owner: input.body.ownerAddress,
      organizationId: organizationOf(input),
      leaveOutTakenNames: input.body.leaveOutTakenNames ?? false,
      entries: (input.body.agents as readonly Fields[]).map((agent) => entryFields(agent, input)),
    }),
  },
  sealAgent: {
    prepare: "prepareSeal",
    messages: one("SoulRegistry.Seal"),
    fields: (input) => ({ tokenId: tokenOf(input), ...proofOf(input) }),
  },
  recordChronicle: {
    prepare: "prepareChronicle",
    messages: one("SoulRegistry.RecordEvolution"),
    fields: (input) => chronicleFields(input.body, input.message, input),
  },
  resealAgent: {
    prepare: "prepareReseal",
    messages: one("SoulRegistry.Reseal"),
    fields: (input) => ({
      tokenId: tokenOf(input),
      newOwner: input.signer,
      operator: input.body.operatorAddress ?? zeroAddress,
      soulHash: input.body.newSoulHash,
      soulMerkleRoot: input.body.newSoulMerkleRoot,
      ...proofOf(input),
    }),
  },
  releaseAgent: {
    prepare: "prepareRelease",
    messages: one("SoulRegistry.Release"),
    fields: (input) => ({ tokenId: tokenOf(input), newOwner: input.signer }),
  },
  suspendAgent: {
    prepare: "prepareSuspend",
    messages: one("SoulRegistry.Suspend"),
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  burnAgent: {
    prepare: "prepareBurn",
    messages: one("SoulRegistry.Burn"),
    fields: (input) => ({
      tokenId: tokenOf(input),
      reasonHash: keccak256(stringToBytes(String(input.body.reason))),
    }),
  },
  updateDidDocument: {
    prepare: "prepareDidUpdate",
    messages: one("SoulRegistry.SetDidArchive"),
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  updateAgentKeySet: {
    prepare: "prepareAgentKeySet",
    messages: one("AgentKeys.SetAgentKeys"),
    fields: (input) => {
      const keys = input.body.keys as readonly unknown[];
      const tokenId = tokenOf(input);
      const onlyWithAgentWallet = input.body.onlyWithAgentWallet ?? false;
      if (keys.length === 0) {
        return { tokenId, keysHash: zeroHash, archiveId: zeroHash, onlyWithAgentWallet };
      }
      const agent = {
        chainId: input.deployment.chainId,
        soulRegistry: contractOf(input.deployment, "soulRegistry"),
        tokenId: BigInt(String(tokenId)),
      };
      return { tokenId, keysHash: agentKeysHash(agentKeySet(keys, agent)), onlyWithAgentWallet };
    },
  },
  updateRegistrationFile: {
    prepare: "prepareRegistrationFile",
    messages: one("PassportWriter.SetAgentURI"),
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  updateAgentUri: {
    prepare: "prepareAgentUri",
    messages: one("SoulRegistry.AgentUriUpdate"),
    fields: ({ body }) => ({ agentId: body.erc8004AgentId }),
  },
  validateAgent: {
    prepare: "prepareValidation",
    messages: one("SoulRegistry.ValidateAgent"),
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  createBinding: {
    prepare: "prepareBinding",
    messages: one("BindingRegistry.SetBinding"),
    fields: ({ body }) => ({
      fromTokenId: body.tokenId,
      toTokenId: body.partnerTokenId,
      trustLevel: trustLevel(body),
      context: body.context,
    }),
  },
  updateBinding: {
    prepare: "prepareBinding",
    messages: one("BindingRegistry.SetBinding"),
    fields: ({ path, body, message }) => ({
      fromTokenId: body.tokenId,
      // The binding's id is the hash of both agents.
      toTokenId: bindingId(message) === path.bindingId ? message.toTokenId : -1,
      trustLevel: trustLevel(body),
      context: body.context,
    }),
  },
  setAllowance: allowance,
  changeAllowance: allowance,
  endAllowance: {
    prepare: "prepareAllowanceEnd",
    messages: one("AllowanceVault.DeactivateAllowance"),
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  stopAgent: {
    prepare: "prepareEmergencyStop",
    messages: () => ["AllowanceVault.DeactivateAllowance", "SoulRegistry.EmergencyStop"],
    fields: (input) => ({ tokenId: tokenOf(input) }),
  },
  requestRegulatoryAudit: {
    prepare: "prepareRegulatoryAudit",
    messages: one("SoulRegistry.RegulatoryAudit"),
    fields: ({ body }) => body,
  },
  requestOrganizationAudit: {
    prepare: "prepareOrganizationAudit",
    messages: one("SoulRegistry.OrganizationAudit"),
    fields: (input) => ({ ...input.body, organizationId: organizationOf(input) }),
  },
  createOrganization: {
    prepare: "prepareOrganization",
    messages: one("OrganizationRegistry.CreateOrganization"),
    fields: ({ body }) => ({ name: body.name, admin: body.adminAddress }),
  },
  addOrganizationMember: {
    prepare: "prepareMembership",
    messages: ({ body }) => [
      body.role === "admin" ? "OrganizationRegistry.Admission" : "OrganizationRegistry.Join",
    ],
    fields: (input) => ({ tokenId: tokenOf(input), organizationId: organizationOf(input) }),
    maxSeconds: 7 * 86_400,
  },
  removeOrganizationMember: {
    prepare: "prepareMembershipEnd",
    messages: one("OrganizationRegistry.Leave"),
    fields: (input) => ({ tokenId: tokenOf(input), organizationId: organizationOf(input) }),
    prepareBody: ({ path, signer }) => ({ ...path, signer }),
  },
  changeOrganizationAdmin: {
    prepare: "prepareAdminChange",
    messages: one("OrganizationRegistry.ChangeAdmin"),
    fields: (input) => ({ organizationId: organizationOf(input), newAdmin: input.body.newAdmin }),
  },
  acceptOrganizationAdmin: {
    prepare: "prepareAdminAcceptance",
    messages: one("OrganizationRegistry.AcceptAdmin"),
    fields: (input) => ({ organizationId: organizationOf(input), newAdmin: input.signer }),
  },
  endInvitation: {
    prepare: "prepareInvitationEnd",
    messages: one("SoulRegistry.EndInvitation"),
    fields: ({ path, signer }) => ({ account: signer, invitationId: path.invitationId }),
    prepareBody: ({ path, signer }) => ({ ...path, accountAddress: signer }),
  },
  listInvitationsBySignature: {
    prepare: "prepareInvitationList",
    messages: one("SoulRegistry.ListInvitations"),
    fields: ({ body }) => ({ account: body.accountAddress }),
    prepareBody: ({ body }) => ({ accountAddress: body.accountAddress }),
  },
  exportPrivateData: {
    prepare: "preparePrivateDataExport",
    messages: one("SoulRegistry.ExportPrivateData"),
    fields: ({ body }) => ({ account: body.accountAddress }),
  },
  deletePrivateData: {
    prepare: "preparePrivateDataDeletion",
    messages: one("SoulRegistry.DeletePrivateData"),
    fields: ({ body }) => ({ account: body.accountAddress, salts: body.salts }),
  },
} as const satisfies { readonly [Id in OperationId]?: SignedOperation };

function trustLevel({ trustLevel: name }: Fields): number {
  return (NAMED_VALUES.trustLevel as readonly unknown[]).indexOf(name);
}

function bindingId({ fromTokenId, toTokenId }: Fields) {
  try {
    const ids = [BigInt(fromTokenId as string), BigInt(toTokenId as string)] as const;
    return keccak256(encodePacked(["uint256", "uint256"], ids));
  } catch {
    return null;
  }
}
