import type { PreparedMessages, SignatureRole } from "../../operations/operation.ts";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { organizationIn } from "./answers.http.ts";
import { batchRequest, PrepareBatchBody } from "./batches/batch.routes.ts";
import type { BuiltOrganizations, SignedForOrganizations } from "./build.ts";
import {
  FoundingBody,
  PrepareAcceptBody,
  PrepareAdminBody,
  PrepareInvitationEndBody,
  PrepareInvitationsBody,
  PrepareJoinBody,
  PrepareLeaveBody,
} from "./signed.schemas.ts";

const common = { tag: "Organizations", errors: TYPED_DATA_ERRORS } as const;

export const prepareOrganization = typedDataRoute({
  ...common,
  path: "org",
  operationId: "prepareOrganization",
  summary: "The EIP-712 data that founds an organization",
  body: FoundingBody,
  async prepare(
    { name, adminAddress: admin },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
  ) {
    return messageOf("admin", await engine.prepare(definitions.found, { name, admin }));
  },
});

export const prepareAdminChange = typedDataRoute({
  ...common,
  path: "org-admin",
  operationId: "prepareAdminChange",
  summary: "The EIP-712 data that names an organization's next admin",
  description:
    "With `role` `newAdmin`: the acceptance that may come in the same `PUT`. To accept later, use `POST /v1/typed-data/org-admin-accept`.",
  body: PrepareAdminBody,
  async prepare(
    { newAdmin, role, ...body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
  ) {
    const request = { organizationId: organizationIn(body), newAdmin };
    const definition = role === "admin" ? definitions.name : definitions.handOver;
    return messageOf(role, await engine.prepare(definition, request));
  },
});

export const prepareAdminAcceptance = typedDataRoute({
  ...common,
  path: "org-admin-accept",
  operationId: "prepareAdminAcceptance",
  summary: "The EIP-712 data with which a named admin takes over",
  body: PrepareAcceptBody,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN"],
  async prepare(body, { organizationOperations: { engine, definitions } }: SignedForOrganizations) {
    const request = { organizationId: organizationIn(body) };
    return messageOf("newAdmin", await engine.prepare(definitions.accept, request));
  },
});

export const prepareMembership = typedDataRoute({
  ...common,
  path: "org-member",
  operationId: "prepareMembership",
  summary: "The EIP-712 data that lets an agent join an organization",
  description:
    "For the agent's owner (`Join`), or with `role` `admin` for the organization's admin (`Admission`). The deadline is 7 days ahead when both must sign, so that the first signature can wait for the second; else 15 minutes.",
  body: PrepareJoinBody,
  errors: [...TYPED_DATA_ERRORS, "ALREADY_MEMBER"],
  async prepare(
    { role, tokenId, ...body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
  ) {
    const request = { organizationId: organizationIn(body), tokenId };
    return messageOf(role, await engine.prepare(definitions.join, request));
  },
});

export const prepareMembershipEnd = typedDataRoute({
  ...common,
  path: "org-member-removal",
  operationId: "prepareMembershipEnd",
  summary: "The EIP-712 data that ends an agent's membership",
  body: PrepareLeaveBody,
  errors: [...TYPED_DATA_ERRORS, "NOT_OWNER"],
  async prepare(
    { tokenId, signer = null, ...body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
  ) {
    const request = { organizationId: organizationIn(body), tokenId, signer };
    return messageOf("owner", await engine.prepare(definitions.leave, request));
  },
});

export const prepareBatchRegistration = typedDataRoute({
  ...common,
  path: "org-batch",
  operationId: "prepareBatchRegistration",
  summary: "The EIP-712 data that registers many agents of an organization",
  description:
    "Takes the body of `POST /v1/org/{organizationId}/batch-register` without its signature.",
  body: PrepareBatchBody,
  errors: [
    ...TYPED_DATA_ERRORS,
    "FORBIDDEN",
    "INVALID_NAME",
    "NAME_TAKEN",
    "HASH_MISMATCH",
    "INVALID_MERKLE_DATA",
  ],
  async prepare(body, { batches }: Pick<BuiltOrganizations, "batches">) {
    const prepared = await batches.prepare(batchRequest(body, organizationIn(body)));
    return messageOf("owner", prepared);
  },
});

export const prepareInvitationList = typedDataRoute({
  ...common,
  path: "org-invitations",
  operationId: "prepareInvitationList",
  summary: "The EIP-712 data that an account signs to list its invitations",
  description: "`ListInvitations`, which no contract accepts. Nothing is stored.",
  body: PrepareInvitationsBody,
  async prepare(
    { accountAddress: account },
    { organizationOperations: { engine, invitations } }: SignedForOrganizations,
  ) {
    const request = { account, organizationId: null };
    return messageOf("owner", await engine.prepare(invitations.list, request));
  },
});

export const prepareInvitationEnd = typedDataRoute({
  ...common,
  path: "org-invitation-end",
  operationId: "prepareInvitationEnd",
  summary: "The EIP-712 data that ends an invitation",
  description: "`EndInvitation`, which no contract accepts. Nothing is stored.",
  body: PrepareInvitationEndBody,
  async prepare(
    { accountAddress: account, invitationId },
    { organizationOperations: { engine, invitations } }: SignedForOrganizations,
  ) {
    return messageOf("owner", await engine.prepare(invitations.end, { account, invitationId }));
  },
});

/** The message that one role signs; the only message when its role is another. */
const messageOf = (role: SignatureRole, prepared: PreparedMessages) =>
  prepared.find((one) => one.role === role) ?? prepared[0];
