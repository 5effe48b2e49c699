import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../http/router.ts";
import { NameParam } from "../http/schemas.ts";
import type { RegistrationFileService } from "../services/registration-file.ts";

const getRegistrationFile = createRoute({
  method: "get",
  path: "/registration-file/{name}",
  operationId: "getRegistrationFile",
  tags: ["Registration file"],
  summary: "The ERC-8004 registration file of an agent",
  request: { params: z.object({ name: NameParam }) },
  responses: {
    200: {
      description: "The file behind the passport's agentURI, from permanent storage.",
      content: { "application/json": { schema: z.looseObject({ type: z.string().optional() }) } },
    },
    ...errorResponses("INVALID_NAME", "NOT_FOUND", "STORAGE_UNAVAILABLE", "REGISTRY_PENDING"),
  },
});

export const registrationFileRoutes = ({
  registrationFiles,
}: {
  registrationFiles: RegistrationFileService;
}) =>
  createRouter().openapi(getRegistrationFile, async (c) => {
    const file = await registrationFiles.byName(c.req.valid("param").name);
    return c.json(file, 200);
  });
