import { createRoute, z } from "@hono/zod-openapi";
import { authorise } from "../../platform/http/guard.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { declaredIdentity } from "../../soul/declared-identity.ts";
import { operations } from "./operation-rules.ts";
import {
  identityBody,
  PublicIdentityBodySchema,
  UpdatedIdentitySchema,
} from "./public-identity.schemas.ts";
import type { PublicIdentityService } from "./public-identity.ts";

const route = createRoute({
  method: "put",
  path: "/public-identity/{tokenId}",
  operationId: "putPublicIdentity",
  tags: ["Public identity"],
  summary: "Replace what an agent says of itself in public",
  description:
    "Self-declared and unchecked. Neither the soul hash nor the alignment depends on it; every change is recorded as a chronicle, which does not count for the day.",
  request: {
    params: z.object({ tokenId: TokenIdParam }),
    headers: IdempotencyHeaders,
    body: jsonBody(PublicIdentityBodySchema),
  },
  responses: {
    200: {
      description: "What it says from now on.",
      content: { "application/json": { schema: UpdatedIdentitySchema } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

export interface PublicIdentityRouteDeps {
  readonly publicIdentities: PublicIdentityService;
}

/** `PUT /public-identity/{tokenId}`. */
export const publicIdentityRoutes = ({ publicIdentities }: PublicIdentityRouteDeps) =>
  createRouter(operations).openapi(route, async (c) => {
    const { tokenId } = c.req.valid("param");
    const { tokenId: tokenIdOfBody, publicIdentity } = c.req.valid("json");
    await authorise(c, tokenId);
    assertSameAgent(tokenId, tokenIdOfBody);
    const updated = await publicIdentities.replace(tokenId, declaredIdentity(publicIdentity));
    return c.json(
      {
        ...agentIds(updated),
        agentName: updated.agentName,
        publicIdentity: identityBody(updated.publicIdentity),
        updatedAt: updated.updatedAt.toISOString(),
      },
      200,
    );
  });
