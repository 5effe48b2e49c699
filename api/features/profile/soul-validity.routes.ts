import { createRoute, z } from "@hono/zod-openapi";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import {
  AgentIdsAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
} from "../../platform/http/schemas.ts";
import { operations } from "./operation-rules.ts";
import type { ProfileRouteDeps } from "./profile.routes.ts";

const Address = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });

const SoulValidity = z
  .object({
    ...AgentIdsAnswer,
    valid: z.boolean(),
    sealedBy: Address.nullable().openapi({ description: "Null before the seal." }),
    currentPassportOwner: Address.nullable(),
    sealTimestamp: TimestampSchema.nullable(),
    message: z.string().optional().openapi({ description: "Why it is not valid." }),
  })
  .openapi("SoulValidity");

/** `/soul-validity/{tokenId}`. */
export function soulValidityRoutes({ profiles, index, indexerWaitMs }: ProfileRouteDeps) {
  const getSoulValidity = createRoute({
    method: "get",
    path: "/soul-validity/{tokenId}",
    operationId: "getSoulValidity",
    tags: ["Profile"],
    summary: "Whether a soul's sealer still owns its passport",
    request: {
      params: z.object({ tokenId: TokenIdParam }),
      query: MinBlockQuery,
    },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The soul as last indexed, or as on chain while the index is too far behind.",
        content: { "application/json": { schema: SoulValidity } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"),
    },
  });

  return createRouter(operations).openapi(getSoulValidity, async (c) => {
    const { at, value } = await profiles.sealCheck(c.req.valid("param").tokenId);
    const body = {
      ...value,
      tokenId: idNumber(value.tokenId),
      erc8004AgentId: idNumber(value.erc8004AgentId),
      sealTimestamp: value.sealTimestamp?.toISOString() ?? null,
    };
    reflectsBlock(c, at, "same");
    return c.json(body, 200);
  });
}
