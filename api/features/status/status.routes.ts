import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { freshRead } from "../../platform/http/operations.ts";
import type { StatusService } from "./status.ts";

export const getStatus = endpoint({
  operationId: "getStatus",
  rules: freshRead,
  method: "get",
  path: "/status",
  tag: "Service",
  summary: "What this deployment is, and how far it has read the chain",
  done: "`lagBlocks` is null while the chain's node does not answer.",
  answer: z.object({
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
  errors: ["REGISTRY_PENDING"],
  run: (_input, { status }: { readonly status: StatusService }) => status.read(),
});
