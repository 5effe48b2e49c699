import { createRoute, z } from "@hono/zod-openapi";
import { noStore } from "../../platform/http/headers.ts";
import type { OperationTable } from "../../platform/http/operations.ts";
import { probe, publicRead } from "../../platform/http/operations.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import type { Readiness } from "./readiness.ts";

/** Rules of the operations of the service's state. */
export const operations = {
  getHealth: probe,
  getReady: probe,
  getOpenApiDocument: { ...publicRead, cache: "published" },
} as const satisfies OperationTable;

const getHealth = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  tags: ["Operation"],
  summary: "Whether the process is up",
  responses: {
    200: {
      description: "The process answers.",
      content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
    },
    ...errorResponses(),
  },
});

const ReadinessAnswer = z
  .object({
    ready: z.boolean(),
    checks: z
      .record(z.string(), z.object({ ready: z.boolean(), reason: z.string().optional() }))
      .openapi({ description: "Every part the service needs, and why it is not ready." }),
  })
  .openapi("Readiness");

const getReady = createRoute({
  method: "get",
  path: "/ready",
  operationId: "getReady",
  tags: ["Operation"],
  summary: "Whether the service can do its work",
  responses: {
    200: {
      description: "Every part is ready.",
      content: { "application/json": { schema: ReadinessAnswer } },
    },
    ...errorResponses(),
    503: {
      description: "At least one part is not ready; `checks` names it.",
      content: { "application/json": { schema: ReadinessAnswer } },
    },
  },
});

/** `/health` and `/ready`, for load balancers and operators. */
export const healthRoutes = ({ readiness }: { readonly readiness: Readiness }) =>
  createRouter(operations)
    .openapi(getHealth, (c) => {
      noStore(c);
      return c.json({ status: "ok" as const }, 200);
    })
    .openapi(getReady, async (c) => {
      noStore(c);
      const checks = await readiness.check();
      const ready = Object.values(checks).every((check) => check.ready);
      return ready ? c.json({ ready, checks }, 200) : c.json({ ready, checks }, 503);
    });

const getOpenApiDocument = createRoute({
  method: "get",
  path: "/v1/openapi.json",
  operationId: "getOpenApiDocument",
  tags: ["Service"],
  summary: "This document",
  responses: {
    200: {
      description: "The OpenAPI 3.1 document of both services.",
      content: { "application/json": { schema: z.unknown().openapi({ type: "object" }) } },
    },
    ...errorResponses(),
  },
});

/** `GET /v1/openapi.json`. */
export const openApiRoutes = (_deps: object, openApi: () => object) =>
  createRouter(operations).openapi(getOpenApiDocument, (c) => c.json(openApi(), 200));
