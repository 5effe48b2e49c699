import { createRoute, z } from "@hono/zod-openapi";
import type { Links } from "../../kernel/links.ts";
import type { BoundOperation } from "../../operations/bind.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, idNumber, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { AgentUris } from "./agent-uri.ts";
import type { FileUpdated, FileUpdateRequest } from "./file-update.ts";
import { operations } from "./operation-rules.ts";
import {
  AgentUriSchema,
  AgentUriUpdatedSchema,
  FileUpdatedSchema,
  FileUpdateSchema,
  toFileEdit,
} from "./schemas.ts";

export interface FileUpdateRouteDeps {
  readonly fileUpdates: BoundOperation<FileUpdateRequest, "SetAgentURI", FileUpdated>;
  readonly agentUris: AgentUris;
  readonly links: Links;
}

const updateFile = createRoute({
  method: "put",
  path: "/registration-file/{tokenId}",
  operationId: "updateRegistrationFile",
  tags: ["Registration file"],
  summary: "Change the registration file by the owner's signature",
  description:
    "Writes the new file to permanent storage and points the passport at it through the passport writer, which the passport's owner must have approved. The members that the service writes are written anew; everything else that the file holds stays.",
  request: {
    headers: IdempotencyHeaders,
    params: z.object({ tokenId: TokenIdParam }),
    body: jsonBody(FileUpdateSchema),
  },
  responses: {
    200: {
      description: "The passport points at the new file.",
      content: { "application/json": { schema: FileUpdatedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "APPROVAL_REQUIRED"),
  },
});

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
  const { fileUpdates, agentUris, links } = deps;
  const routes = createRouter(operations);

  routes
    .openapi(updateFile, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { message, signature, signer, ...body } = c.req.valid("json");
      assertSameAgent(tokenId, body.tokenId);
      const { result, indexedBlock } = await fileUpdates.perform(
        { tokenId, edit: toFileEdit(body) },
        { message, signature, signer },
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      const passportId = BigInt(result.passportId);
      return c.json(
        {
          agentId: idNumber(passportId),
          ...agentIds({ tokenId, passportId }),
          agentURI: result.agentURI,
          updatedFields: [...result.updatedFields],
          erc8004TxHash: result.txHash,
        },
        200,
      );
    })
    .openapi(updateAgentUri, async (c) => {
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
