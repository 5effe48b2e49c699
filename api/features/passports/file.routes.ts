import { createRoute, z } from "@hono/zod-openapi";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import { operations } from "./operation-rules.ts";
import type { RegistrationFileService } from "./registration-file.ts";

/** `GET /registration-file/{name}`. */
export function registrationFileRoutes({
  registrationFiles,
  index,
  indexerWaitMs,
}: {
  readonly registrationFiles: RegistrationFileService;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}) {
  const getRegistrationFile = createRoute({
    method: "get",
    path: "/registration-file/{name}",
    operationId: "getRegistrationFile",
    tags: ["Registration file"],
    summary: "The ERC-8004 registration file of an agent",
    request: { params: z.object({ name: NameOrTokenIdParam }), query: MinBlockQuery },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The file behind the passport's agentURI, from permanent storage.",
        content: { "application/json": { schema: z.looseObject({ type: z.string().optional() }) } },
      },
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "NOT_FOUND",
        "STORAGE_UNAVAILABLE",
        "REGISTRY_PENDING",
      ),
    },
  });

  return createRouter(operations).openapi(getRegistrationFile, async (c) => {
    const { at, value } = await registrationFiles.of(c.req.valid("param").name);
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return c.json(value.file, 200);
  });
}
