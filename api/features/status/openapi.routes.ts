import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { operations } from "./operation-rules.ts";

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
