import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import type { NameService } from "./names.ts";
import { operations } from "./operation-rules.ts";

const params = z.object({
  name: z.string().max(256).toLowerCase().openapi({ type: "string", example: "aurora" }),
});

const checkName = createRoute({
  method: "get",
  path: "/register/check-name/{name}",
  operationId: "checkName",
  tags: ["Registration"],
  summary: "Whether a name can be registered",
  request: { params },
  responses: {
    200: {
      description: "Read from the chain now.",
      content: {
        "application/json": {
          schema: z.object({ available: z.boolean(), reason: z.string().optional() }),
        },
      },
    },
    ...errorResponses("INVALID_NAME", "CHAIN_UNAVAILABLE"),
  },
});

const nameAvailable = createRoute({
  method: "get",
  path: "/name-available/{name}",
  operationId: "nameAvailable",
  tags: ["Registration"],
  summary: "Whether a name can be registered, and a name that can",
  request: { params },
  responses: {
    200: {
      description: "`suggestion` is the name itself when it is available.",
      content: {
        "application/json": {
          schema: z.object({ name: z.string(), available: z.boolean(), suggestion: z.string() }),
        },
      },
    },
    ...errorResponses("INVALID_NAME", "NAME_TAKEN", "CHAIN_UNAVAILABLE"),
  },
});

export const nameRoutes = ({ names }: { names: NameService }) =>
  createRouter(operations)
    .openapi(checkName, async (c) => {
      const availability = await names.check(c.req.valid("param").name);
      return c.json(availability, 200);
    })
    .openapi(nameAvailable, async (c) => {
      const { name } = c.req.valid("param");
      const { available, suggestion } = await names.suggest(name);
      return c.json({ name, available, suggestion }, 200);
    });
