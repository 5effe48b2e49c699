import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Address } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { invitationBody } from "./answers.http.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations as rules } from "./operation-rules.ts";
import type { OrganizationOperations } from "./operations.ts";
import { InvitationAnswer, InvitationsAnswer } from "./signed.schemas.ts";

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
    "For either party. The service forgets the signature. Its signer can also cancel its nonce on chain, which no service can undo.",
  request: { params },
  responses: {
    204: { description: "It has ended." },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "CHAIN_UNAVAILABLE"),
  },
});

/** Joins that wait for a second signature. */
export function invitationRoutes({
  organizationOperations: { engine, definitions },
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
    .openapi(getInvitation, async (c) => {
      const { invitationId } = c.req.valid("param");
      const view = await engine.waiting.read([definitions.join], invitationId, accountOf(c));
      return c.json(withFleetId(c, invitationBody(view)), 200);
    })
    .openapi(endInvitation, async (c) => {
      const { invitationId } = c.req.valid("param");
      await engine.waiting.withdraw([definitions.join], invitationId, accountOf(c));
      return c.body(null, 204);
    });
}

/** The account of an owner session. @throws ApiError FORBIDDEN for a session that manages one agent only. */
function accountOf(c: Context<AppEnv>): Address {
  const caller = c.get("caller");
  if (caller.kind === "session" && caller.agentId === null) return caller.owner;
  throw new ApiError("FORBIDDEN", {
    message: "Invitations are the account's. Sign in with scope manage and without agentId.",
  });
}
