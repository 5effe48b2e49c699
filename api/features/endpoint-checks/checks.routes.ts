import { createRoute, z } from "@hono/zod-openapi";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { AGENT_READ_ERRORS, createRouter, errorResponses } from "../../platform/http/router.ts";
import { NameOrTokenIdParam, TimestampSchema } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { EndpointChecks } from "./checks.ts";
import { operations } from "./operation-rules.ts";
import {
  CheckRequestedSchema,
  checksBody,
  EndpointChecksSchema,
  requestedBody,
} from "./schemas.ts";

export interface EndpointCheckRouteDeps {
  readonly endpointChecks: Pick<EndpointChecks, "of" | "request">;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

const requestCheck = createRoute({
  method: "post",
  path: "/endpoint-checks/{name}",
  operationId: "requestEndpointCheck",
  tags: ["Endpoint checks"],
  summary: "Have an agent's endpoints checked",
  description:
    "Anyone may ask. The check begins at once, or 15 minutes after the last one began. Its result is at `GET /v1/endpoint-checks/{name}`.",
  request: { params: z.object({ name: NameOrTokenIdParam }) },
  responses: {
    202: {
      description: "The check is queued.",
      content: { "application/json": { schema: CheckRequestedSchema } },
    },
    ...errorResponses(...AGENT_READ_ERRORS),
  },
});

/** `/endpoint-checks/{name}`. */
export function endpointCheckRoutes(deps: EndpointCheckRouteDeps) {
  const { endpointChecks, index, indexerWaitMs } = deps;
  const getChecks = createRoute({
    method: "get",
    path: "/endpoint-checks/{name}",
    operationId: "getEndpointChecks",
    tags: ["Endpoint checks"],
    summary: "Whether an agent's endpoints answer, its grade, and what to mend",
    description:
      "The last check, signed by the service, and how often each state was seen on each of the last 90 days. Grade and fixes follow from that check and from the index as it is now.",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      query: z.object({
        before: TimestampSchema.optional().openapi({
          description: "The last check that began before this time, instead of the newest.",
        }),
        ...MinBlockQuery.shape,
      }),
    },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The last check; `checkedAt` is null before the first one.",
        content: { "application/json": { schema: EndpointChecksSchema } },
      },
      ...errorResponses(...AGENT_READ_ERRORS),
    },
  });

  return createRouter(operations)
    .openapi(getChecks, async (c) => {
      const { before } = c.req.valid("query");
      const time = before === undefined ? null : new Date(before);
      const { at, value } = await endpointChecks.of(c.req.valid("param").name, time);
      reflectsBlock(c, at);
      if (value.validity === "valid") aboutValidSeal(c);
      return c.json(checksBody(value), 200);
    })
    .openapi(requestCheck, async (c) =>
      c.json(requestedBody(await endpointChecks.request(c.req.valid("param").name)), 202),
    );
}
