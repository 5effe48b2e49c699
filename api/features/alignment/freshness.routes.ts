import { createRoute } from "@hono/zod-openapi";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import {
  AGENT_READ_ERRORS,
  createRouter,
  errorResponses,
  jsonBody,
} from "../../platform/http/router.ts";
import type { FreshnessService } from "./freshness.ts";
import { operations } from "./operation-rules.ts";
import { FreshnessAnswerSchema, FreshnessRequestSchema } from "./schemas.ts";

const verifyFreshness = createRoute({
  method: "post",
  path: "/verify/freshness",
  operationId: "verifyFreshness",
  tags: ["Verification"],
  summary: "Whether an agent's last alignment snapshot is young enough",
  description:
    "Anyone may ask. When the snapshot is too old, the agent's webhooks are sent `freshness.requested`, at most once a day (UTC).",
  request: { body: jsonBody(FreshnessRequestSchema) },
  responses: {
    200: {
      description: "The age of the last snapshot, and whether it is within the limit.",
      content: { "application/json": { schema: FreshnessAnswerSchema } },
    },
    ...errorResponses(...AGENT_READ_ERRORS, "UNSUPPORTED_MEDIA_TYPE"),
  },
});

/** `/verify/freshness`. */
export function freshnessRoutes({ freshness }: { readonly freshness: FreshnessService }) {
  return createRouter(operations).openapi(verifyFreshness, async (c) => {
    const { agentName, maxAgeDays } = c.req.valid("json");
    const { at, value } = await freshness.verify(agentName, maxAgeDays);
    reflectsBlock(c, at);
    return c.json({ ...value, lastSnapshot: value.lastSnapshot?.toISOString() ?? null }, 200);
  });
}
