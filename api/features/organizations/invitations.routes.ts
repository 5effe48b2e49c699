import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Address } from "viem";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { signatureRequired } from "../../operations/signature-required.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { OWNER_SIGNATURE_HEADER, requesterOf } from "../../platform/http/guard.ts";
import { ownerSignatureIn } from "../../platform/http/owner-signature.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { invitationBody } from "./answers.http.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations as rules } from "./operation-rules.ts";
import type { OrganizationOperations } from "./operations.ts";
import {
  InvitationAnswer,
  InvitationsAnswer,
  SignedInvitationEndBody,
  SignedInvitationsBody,
} from "./signed.schemas.ts";

/** None of it costs gas. */
const SIGNED_ERRORS = OWNER_OPERATION_ERRORS.filter((type) => type !== "GAS_BUDGET_EXHAUSTED");

const listInvitations = createRoute({
  method: "get",
  path: "/org/invitations",
  operationId: "listInvitations",
  tags: ["Organizations"],
  summary: "Invitations that wait for your signature, or for another account's after yours",
  description:
    "For the account of an owner session: the agents' owner, or the organizations' admin. The newest first, at most 100. Each is compared with the chain before it is shown.",
  request: { query: z.object({ organizationId: TokenIdParam.optional() }) },
  responses: {
    200: {
      description: "Those that can still be signed.",
      content: { "application/json": { schema: InvitationsAnswer } },
    },
    ...errorResponses("INVALID_REQUEST", "CHAIN_UNAVAILABLE"),
  },
});

const listInvitationsBySignature = createRoute({
  method: "post",
  path: "/org/invitations",
  operationId: "listInvitationsBySignature",
  tags: ["Organizations"],
  summary: "The invitations of an account, by one signature",
  description:
    "The list of `GET /v1/org/invitations` for any account, also for an admin that owns no passport and so cannot sign in. A signature counts once.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SignedInvitationsBody) },
  responses: {
    200: {
      description: "Those that can still be signed.",
      content: { "application/json": { schema: InvitationsAnswer } },
    },
    ...errorResponses(...SIGNED_ERRORS),
  },
});

const params = z.object({ invitationId: z.uuid() });

const getInvitation = createRoute({
  method: "get",
  path: "/org/invitations/{invitationId}",
  operationId: "getInvitation",
  tags: ["Organizations"],
  summary: "One invitation, for its two parties",
  request: { params },
  responses: {
    200: {
      description: "It can still be signed.",
      content: { "application/json": { schema: InvitationAnswer } },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE"),
  },
});

const endInvitation = createRoute({
  method: "delete",
  path: "/org/invitations/{invitationId}",
  operationId: "endInvitation",
  tags: ["Organizations"],
  summary: "Withdraw or decline an invitation",
  description:
    "For either party, with a session of its account or its signature. The signature may come as base64url JSON in `X-Svc-Owner-Signature`, because many clients drop the body of a DELETE. The service forgets the signature that waited. Its signer can also cancel its nonce on chain, which no service can undo.",
  request: {
    params,
    headers: IdempotencyHeaders.extend({
      [OWNER_SIGNATURE_HEADER.toLowerCase()]: z.string().max(65_536).optional(),
    }),
    body: {
      required: false,
      content: { "application/json": { schema: SignedInvitationEndBody } },
    },
  },
  responses: {
    204: { description: "It has ended." },
    ...errorResponses(...SIGNED_ERRORS),
  },
});

/** Joins that wait for a second signature. */
export function invitationRoutes({
  organizationOperations: { engine, definitions, invitations: signed },
}: {
  readonly organizationOperations: OrganizationOperations;
}) {
  return createRouter(rules)
    .openapi(listInvitations, async (c) => {
      const { organizationId: id } = c.req.valid("query");
      const filter = id === undefined ? {} : { subject: { kind: "organization", id } as const };
      const views = await engine.waiting.list([definitions.join], accountOf(c), filter);
      const invitations = views.map((view) => withFleetId(c, invitationBody(view)));
      return c.json({ invitations }, 200);
    })
    .openapi(listInvitationsBySignature, async (c) => {
      const { accountAddress: account, organizationId = null, ...evidence } = c.req.valid("json");
      const views = await engine.settle(
        signed.list,
        { account, organizationId },
        [{ ...evidence, role: "owner" }],
        requesterOf(c),
      );
      const invitations = views.map((view) => withFleetId(c, invitationBody(view)));
      return c.json({ invitations }, 200);
    })
    .openapi(getInvitation, async (c) => {
      const { invitationId } = c.req.valid("param");
      const view = await engine.waiting.read([definitions.join], invitationId, accountOf(c));
      return c.json(withFleetId(c, invitationBody(view)), 200);
    })
    .openapi(endInvitation, async (c) => {
      const { invitationId } = c.req.valid("param");
      const evidence = endEvidence(c, c.req.valid("json"));
      if (evidence === null) {
        await engine.waiting.withdraw([definitions.join], invitationId, accountOf(c));
        return c.body(null, 204);
      }
      const { message, signature, signer, accountAddress: account = signer } = evidence;
      if (evidence.invitationId !== undefined && evidence.invitationId !== invitationId) {
        throw badRequest("invitationId", `The path says ${invitationId}`);
      }
      await engine.settle(
        signed.end,
        { account, invitationId },
        [{ message, signature, signer, role: "owner" }],
        requesterOf(c),
      );
      return c.body(null, 204);
    });
}

/** The signature of a request, from its header or its body; null without one. */
function endEvidence(
  c: Context<AppEnv>,
  body: z.output<typeof SignedInvitationEndBody>,
): z.output<typeof SignedInvitationEndBody> | null {
  const header = c.req.header(OWNER_SIGNATURE_HEADER);
  if (header !== undefined) return ownerSignatureIn(header, SignedInvitationEndBody);
  // Without a body, nothing has checked it.
  if (body.signature !== undefined) return body;
  if (c.get("caller").kind === "anonymous") throw signatureRequired("org-invitation-end");
  return null;
}

/** The account of an owner session. @throws ApiError FORBIDDEN for a session that manages one agent only. */
function accountOf(c: Context<AppEnv>): Address {
  const caller = c.get("caller");
  if (caller.kind === "session" && caller.agentId === null) return caller.owner;
  throw new ApiError("FORBIDDEN", {
    message: "Invitations are the account's. Sign in with scope manage and without agentId.",
  });
}
