import { z } from "@hono/zod-openapi";
import { stringToBytes } from "viem";
import {
  OFF_CHAIN_TYPES,
  type OffChainMessage,
  ORGANIZATION_REGISTRY_TYPES,
} from "../../../protocol/index.ts";
import { messageShape } from "../../operations/schemas.ts";
import {
  AddressSchema,
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  SignatureSchema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import type { AdminMessage, CreateOrganizationMessage, MembershipMessage } from "./registry.ts";
import { AddressAnswer, ORGANIZATION_ID } from "./schemas.ts";

const MAX_NAME_BYTES = 64;

const { CreateOrganization, Join, ChangeAdmin } = ORGANIZATION_REGISTRY_TYPES;

const { message: CreateOrganizationSchema } = messageShape<CreateOrganizationMessage>(
  "CreateOrganization",
  CreateOrganization,
);
const { message: MembershipSchema } = messageShape<MembershipMessage>("Membership", Join);
const { message: AdminSchema } = messageShape<AdminMessage>("OrganizationAdmin", ChangeAdmin);

function evidence<Message extends z.ZodType>(message: Message, signer: string) {
  return {
    message,
    signature: SignatureSchema.openapi({ description: "Of `message`, by `signer`." }),
    signer: AddressSchema.openapi({ description: signer }),
  };
}

const NameSchema = z
  .string()
  .refine((name) => name.trim() === name && name !== "", "Empty, or with spaces around it")
  .refine((name) => !/\p{Cc}/u.test(name), "Has control characters")
  .refine((name) => stringToBytes(name).length <= MAX_NAME_BYTES, "Longer than 64 bytes of UTF-8")
  .openapi({ type: "string", minLength: 1, maxLength: MAX_NAME_BYTES });

const founding = {
  name: NameSchema,
  adminAddress: AddressSchema.openapi({ description: "Who founds and administers it." }),
};
export const FoundingBody = z.strictObject(founding);
export const SignedFoundingBody = z
  .strictObject({ ...founding, ...evidence(CreateOrganizationSchema, "`adminAddress`.") })
  .openapi("NewOrganization");

/** The organization of a body that has it in no path. */
export const named = {
  organizationId: TokenIdSchema.optional(),
  fleetId: TokenIdSchema.optional().openapi({
    deprecated: true,
    description: "Former name of `organizationId`.",
  }),
};

const JoinRole = z.enum(["owner", "admin"]).default("owner").openapi({
  description:
    "Whose signature it is: the agent owner's (`Join`) or the admin's (`Admission`). One account that is both signs as `owner`.",
});

export const PrepareJoinBody = z.strictObject({
  ...named,
  tokenId: TokenIdSchema,
  role: JoinRole,
});
export const SignedJoinBody = z
  .strictObject({
    tokenId: TokenIdSchema,
    role: JoinRole,
    ...evidence(MembershipSchema, "In that role."),
    adminSignature: z
      .strictObject(evidence(MembershipSchema, "The organization's admin."))
      .optional()
      .openapi({
        description: "The admin's, beside the owner's. Without it, the agent is invited.",
      }),
  })
  .openapi("NewMember");

export const PrepareLeaveBody = z.strictObject({
  ...named,
  tokenId: TokenIdSchema,
  signer: AddressSchema.optional().openapi({
    description: "The agent's owner or the admin. Default: the owner, and the admin without one.",
  }),
});
export const SignedLeaveBody = z
  .strictObject(evidence(MembershipSchema, "The agent's owner, or the organization's admin."))
  .openapi("MembershipEnd");

const AdminRole = z.enum(["admin", "newAdmin"]).default("admin").openapi({
  description:
    "Whose signature it is: the present admin's (`ChangeAdmin`), or the next one's over its acceptance in the same request (`AcceptAdmin`).",
});
const newAdmin = AddressSchema.openapi({
  description: "The zero address takes back a naming that was not accepted.",
});

export const PrepareAdminBody = z.strictObject({ ...named, newAdmin, role: AdminRole });
export const SignedAdminBody = z
  .strictObject({
    newAdmin,
    ...evidence(AdminSchema, "The present admin."),
    newAdminSignature: z
      .strictObject(evidence(AdminSchema, "`newAdmin`."))
      .optional()
      .openapi({ description: "Of the acceptance. Without it, the new admin accepts later." }),
  })
  .openapi("NewAdmin");

export const PrepareAcceptBody = z.strictObject(named);
export const SignedAcceptBody = z
  .strictObject(evidence(AdminSchema, "The account that was named."))
  .openapi("AdminAcceptance");

export const FoundedAnswer = z
  .object({
    ...ORGANIZATION_ID,
    name: z.string(),
    admin: AddressAnswer,
    memberCount: z.int().min(0),
    createdAt: TimestampSchema,
    txHash: Hex32Schema,
  })
  .openapi("FoundedOrganization");

export const MemberAddedAnswer = z
  .object({
    ...ORGANIZATION_ID,
    ...AgentIdsAnswer,
    agentName: z.string(),
    status: z.literal("added"),
    txHash: Hex32Schema,
    memberCount: z.int().min(0),
  })
  .openapi("MemberAdded");

export const MemberRemovedAnswer = z
  .object({ ...MemberAddedAnswer.shape, status: z.literal("removed") })
  .openapi("MemberRemoved");

const Party = z.object({ role: z.enum(["owner", "admin"]), signer: AddressAnswer });

export const InvitationAnswer = z
  .object({
    ...ORGANIZATION_ID,
    tokenId: IdAnswer,
    status: z.literal("invited"),
    invitationId: z.uuid(),
    signedBy: z.array(Party),
    awaiting: z.array(Party),
    createdAt: TimestampSchema,
    expiresAt: TimestampSchema.openapi({ description: "When its first signature ends." }),
  })
  .openapi("Invitation");

const account = AddressSchema.openapi({
  description: "The agents' owner, or the organizations' admin.",
});
/** A message that no contract accepts, with its evidence. */
const ofAccount = <Name extends "ListInvitations" | "EndInvitation">(
  name: Name,
  shape = messageShape<OffChainMessage<Name>>(name, OFF_CHAIN_TYPES[name]),
) => ({ ...shape, signer: AddressSchema.openapi({ description: "`accountAddress`." }) });

export const PrepareInvitationsBody = z.strictObject({ accountAddress: account });
export const SignedInvitationsBody = z
  .strictObject({
    accountAddress: account,
    organizationId: TokenIdSchema.optional().openapi({ description: "Default: of all." }),
    ...ofAccount("ListInvitations"),
  })
  .openapi("InvitationsBySignature");

export const PrepareInvitationEndBody = z.strictObject({
  accountAddress: account,
  invitationId: z.uuid(),
});
export const SignedInvitationEndBody = z
  .strictObject({
    accountAddress: account.optional(),
    invitationId: z.uuid().optional(),
    ...ofAccount("EndInvitation"),
  })
  .openapi("InvitationEnd");

export const InvitationsAnswer = z
  .object({ invitations: z.array(InvitationAnswer) })
  .openapi("Invitations");

export const AdminAnswer = z
  .object({
    ...ORGANIZATION_ID,
    previousAdmin: AddressAnswer,
    newAdmin: AddressAnswer,
    status: z.enum(["accepted", "pending_acceptance", "withdrawn"]).openapi({
      description:
        "`pending_acceptance`: `previousAdmin` goes on until `newAdmin` accepts. `withdrawn`: the naming before it was taken back.",
    }),
    txHash: Hex32Schema,
  })
  .openapi("AdminChanged");
