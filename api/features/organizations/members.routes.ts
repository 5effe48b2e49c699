import { badRequest } from "../../kernel/errors.ts";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { changeBody, invitationBody, performed, withFleetId } from "./answers.http.ts";
import type { SignedForOrganizations } from "./build.ts";
import { ofOrganization } from "./schemas.ts";
import {
  InvitationAnswer,
  MemberAddedAnswer,
  MemberRemovedAnswer,
  SignedJoinBody,
  SignedLeaveBody,
} from "./signed.schemas.ts";

export const addOrganizationMember = endpoint({
  ...ofOrganization,
  operationId: "addOrganizationMember",
  rules: {
    ...ownerSigned,
    typedData: "org-member",
    legacyPaths: ["/fleet/{organizationId}/members"],
  },
  method: "post",
  path: "/org/{organizationId}/members",
  summary: "Let an agent join an organization",
  description:
    "Needs the agent's owner and the organization's admin. One signature is enough when they are the same account. Else both come at once (`adminSignature`), or the first one waits up to 7 days for the second, which comes with a request of its own: the agent is invited. Another admin, the agent's sale, a cancelled nonce or either party ends an invitation.",
  body: SignedJoinBody,
  done: "The agent is a member.",
  answer: MemberAddedAnswer,
  otherAnswers: {
    202: {
      description: "The signature waits for the second one. Nothing is on chain yet.",
      content: { "application/json": { schema: InvitationAnswer } },
    },
  },
  errors: [...OWNER_OPERATION_ERRORS, "ALREADY_MEMBER"],
  async run(
    { organizationId, body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const { tokenId, role, adminSignature, ...evidence } = body;
    const given: GivenSignature[] = [{ ...evidence, role }];
    if (adminSignature !== undefined) {
      if (role === "admin") {
        throw badRequest("adminSignature", "signature is the admin's already: role says so");
      }
      given.push({ ...adminSignature, role: "admin" });
    }
    const request = { organizationId, tokenId };
    const submitted = await engine.submit(definitions.join, request, given, requesterOf(c));
    if (submitted.state === "waiting") {
      return c.json(withFleetId(c, invitationBody(submitted.waiting)), 202);
    }
    const { result, txHash } = performed(c, submitted.performed);
    return withFleetId(c, changeBody(result, "added", txHash));
  },
});

export const removeOrganizationMember = endpoint({
  ...ofOrganization,
  operationId: "removeOrganizationMember",
  rules: {
    ...ownerSigned,
    typedData: "org-member-removal",
    legacyPaths: ["/fleet/{organizationId}/members/{tokenId}"],
  },
  method: "delete",
  path: "/org/{organizationId}/members/{tokenId}",
  params: { ...ofOrganization.params, tokenId: TokenIdParam },
  summary: "End an agent's membership: the agent leaves, or is removed",
  description:
    "With the signature of the agent's owner or of the admin. It may come as base64url JSON in `X-Svc-Owner-Signature`, because many clients drop the body of a DELETE.",
  body: SignedLeaveBody,
  bodyOrHeader: true,
  done: "The agent is no member any more.",
  answer: MemberRemovedAnswer,
  errors: OWNER_OPERATION_ERRORS,
  async run(
    { organizationId, tokenId, body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    if (body.signature === undefined) throw signatureRequired("org-member-removal");
    const done = await engine.perform(
      definitions.leave,
      { organizationId, tokenId, signer: body.signer },
      [{ ...body, role: "owner" }],
      requesterOf(c),
    );
    const { result, txHash } = performed(c, done);
    return withFleetId(c, changeBody(result, "removed", txHash));
  },
});
