import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../kernel/errors.ts";
import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import { OWNER_SIGNATURE_HEADER, requesterOf } from "../../platform/http/guard.ts";
import { ownerSignatureIn } from "../../platform/http/owner-signature.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { changeBody, invitationBody, performed } from "./answers.http.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations as rules } from "./operation-rules.ts";
import type { OrganizationOperations } from "./operations.ts";
import { OrganizationParams } from "./schemas.ts";
import {
  InvitationAnswer,
  MemberAddedAnswer,
  MemberRemovedAnswer,
  SignedJoinBody,
  SignedLeaveBody,
} from "./signed.schemas.ts";

const addMember = createRoute({
  method: "post",
  path: "/org/{organizationId}/members",
  operationId: "addOrganizationMember",
  tags: ["Organizations"],
  summary: "Let an agent join an organization",
  description:
    "Needs the agent's owner and the organization's admin. One signature is enough when they are the same account. Else both come at once (`adminSignature`), or the first one waits up to 7 days for the second, which comes with a request of its own: the agent is invited. Another admin, the agent's sale, a cancelled nonce or either party ends an invitation.",
  request: {
    params: OrganizationParams,
    headers: IdempotencyHeaders,
    body: jsonBody(SignedJoinBody),
  },
  responses: {
    200: {
      description: "The agent is a member.",
      content: { "application/json": { schema: MemberAddedAnswer } },
    },
    202: {
      description: "The signature waits for the second one. Nothing is on chain yet.",
      content: { "application/json": { schema: InvitationAnswer } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "ALREADY_MEMBER"),
  },
});

const removeMember = createRoute({
  method: "delete",
  path: "/org/{organizationId}/members/{tokenId}",
  operationId: "removeOrganizationMember",
  tags: ["Organizations"],
  summary: "End an agent's membership: the agent leaves, or is removed",
  description:
    "With the signature of the agent's owner or of the admin. It may come as base64url JSON in `X-Svc-Owner-Signature`, because many clients drop the body of a DELETE.",
  request: {
    params: z.object({ ...OrganizationParams.shape, tokenId: TokenIdParam }),
    headers: IdempotencyHeaders.extend({
      [OWNER_SIGNATURE_HEADER.toLowerCase()]: z.string().max(65_536).optional(),
    }),
    body: { required: false, content: { "application/json": { schema: SignedLeaveBody } } },
  },
  responses: {
    200: {
      description: "The agent is no member any more.",
      content: { "application/json": { schema: MemberRemovedAnswer } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS),
  },
});

/** Members of organizations: joining and leaving. */
export function memberRoutes({
  organizationOperations: { engine, definitions },
}: {
  readonly organizationOperations: OrganizationOperations;
}) {
  return createRouter(rules)
    .openapi(addMember, async (c) => {
      const { organizationId } = c.req.valid("param");
      const { tokenId, role, adminSignature, ...evidence } = c.req.valid("json");
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
      return c.json(withFleetId(c, changeBody(result, "added", txHash)), 200);
    })
    .openapi(removeMember, async (c) => {
      const { organizationId, tokenId } = c.req.valid("param");
      const header = c.req.header(OWNER_SIGNATURE_HEADER);
      const evidence =
        header === undefined ? c.req.valid("json") : ownerSignatureIn(header, SignedLeaveBody);
      // Without a body, nothing has checked it.
      if (evidence.signature === undefined) throw signatureRequired("org-member-removal");
      const { signer } = evidence;
      const done = await engine.perform(
        definitions.leave,
        { organizationId, tokenId, signer },
        [{ ...evidence, role: "owner" }],
        requesterOf(c),
      );
      const { result, txHash } = performed(c, done);
      return c.json(withFleetId(c, changeBody(result, "removed", txHash)), 200);
    });
}
