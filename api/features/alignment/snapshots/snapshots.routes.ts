import { createRoute } from "@hono/zod-openapi";
import { authorise } from "../../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../../platform/http/router.ts";
import { agentIds } from "../../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../../platform/idempotency/idempotency.http.ts";
import { operations } from "../operation-rules.ts";
import { SnapshotRequestSchema, SnapshotSchema } from "../schemas.ts";
import type { SnapshotOpening } from "./opening.ts";

const requestSnapshot = createRoute({
  method: "post",
  path: "/snapshot",
  operationId: "requestSnapshot",
  tags: ["Alignment"],
  summary: "Compute, archive and record an agent's alignment score",
  description:
    "With the agent's key or its owner's session, at most five times a day (UTC). While a snapshot of the agent is under way, the answer is about that one. `GET /v1/alignment/calculate` says how far it has come, and `GET /v1/alignment/{name}` has the score once it is on chain.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SnapshotRequestSchema) },
  responses: {
    202: {
      description: "The snapshot is being computed.",
      content: { "application/json": { schema: SnapshotSchema } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "FORBIDDEN",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
      "REGISTRY_PENDING",
    ),
  },
});

/** `/snapshot`. */
export function snapshotRoutes({ snapshotOpening }: { readonly snapshotOpening: SnapshotOpening }) {
  return createRouter(operations).openapi(requestSnapshot, async (c) => {
    const { tokenId } = c.req.valid("json");
    await authorise(c, tokenId);
    const opened = await snapshotOpening.request(tokenId, c.get("operationKey"));
    return c.json(
      {
        ...agentIds({ tokenId, passportId: opened.passportId }),
        snapshotId: opened.id,
        status: "computing" as const,
        estimatedCompletion: opened.estimatedCompletion.toISOString(),
      },
      202,
    );
  });
}
