import { createRoute } from "@hono/zod-openapi";
import type { Links } from "../../kernel/links.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { idNumber } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { AgentUris } from "./agent-uri.ts";
import { operations } from "./operation-rules.ts";
import { AgentUriSchema, AgentUriUpdatedSchema, toFileEdit } from "./schemas.ts";

export interface FileUpdateRouteDeps {
  readonly agentUris: AgentUris;
  readonly links: Links;
}

const updateAgentUri = createRoute({
  method: "post",
  path: "/agent-uri/update",
  operationId: "updateAgentUri",
  tags: ["Registration file"],
  summary: "Write a new registration file that the owner points the passport at",
  description:
    "Needs no approval: the answer holds the transaction that the passport's owner sends. Each signature counts once.",
  request: { headers: IdempotencyHeaders, body: jsonBody(AgentUriSchema) },
  responses: {
    200: {
      description: "The file is stored; `transaction` is to be sent.",
      content: { "application/json": { schema: AgentUriUpdatedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS),
  },
});

/** Changes of registration files. */
export function registrationFileUpdateRoutes(deps: FileUpdateRouteDeps) {
  const { agentUris, links } = deps;
  const routes = createRouter(operations);

  routes.openapi(updateAgentUri, async (c) => {
    const { message, signature, signer, erc8004AgentId, ...body } = c.req.valid("json");
    const written = await agentUris.settle(
      { passportId: erc8004AgentId, edit: toFileEdit(body) },
      { message, signature, signer },
      requesterOf(c),
    );
    return c.json(
      {
        success: true as const,
        erc8004AgentId: idNumber(written.passportId),
        newAgentUri: {
          url: links.storage(written.storageId),
          arUri: written.uri,
          txId: written.storageId,
        },
        transaction: written.transaction,
        updated: {
          x402Support: body.x402Support !== undefined,
          services: body.services !== undefined || body.removeServices !== undefined,
          description: body.description !== undefined,
          imageUrl: body.imageUrl !== undefined,
        },
      },
      200,
    );
  });
  return routes;
}
