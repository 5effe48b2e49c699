import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { operations } from "./operation-rules.ts";
import type { StatusService } from "./status.ts";

const getStatus = createRoute({
  method: "get",
  path: "/status",
  operationId: "getStatus",
  tags: ["Service"],
  summary: "What this deployment is, and how far it has read the chain",
  responses: {
    200: {
      description: "`lagBlocks` is null while the chain's node does not answer.",
      content: {
        "application/json": {
          schema: z.object({
            version: z.string(),
            specification: z.string(),
            chainId: z.int(),
            contracts: z.record(z.string(), z.string().nullable()),
            startBlock: z.int(),
            chainBlock: z.int().nullable(),
            indexedBlock: z.int(),
            lagBlocks: z.int().nullable(),
            status: z.enum(["ok", "degraded"]).openapi({
              description:
                "`degraded` while the index is further behind the chain than the service allows, or its age is unknown: see docs/limits.md.",
            }),
            storage: z.object({ driver: z.string(), signer: z.string() }),
          }),
        },
      },
    },
    ...errorResponses("REGISTRY_PENDING"),
  },
});

export const statusRoutes = ({ status }: { status: StatusService }) =>
  createRouter(operations).openapi(getStatus, async (c) => {
    return c.json(await status.read(), 200);
  });
