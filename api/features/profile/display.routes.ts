import { createRoute, z } from "@hono/zod-openapi";
import { authorise } from "../../platform/http/guard.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  AgentIdsAnswer,
  agentIds,
  NameOrTokenIdParam,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { ADDRESS_DISPLAYS } from "../../soul/display-settings.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { AgentDisplay, DisplayService } from "./display.ts";
import { operations } from "./operation-rules.ts";

const Display = z.enum(ADDRESS_DISPLAYS);
const MAX_LABEL = 128;

const settings = {
  ownerAddress: Display,
  operatorAddress: Display,
  operatorLabel: z
    .string()
    .max(MAX_LABEL)
    .refine((label) => !/\p{Cc}/u.test(label), "Holds control characters"),
  showWalletBalances: z.boolean(),
  showTransactionCount: z.boolean(),
};

const Body = z
  .strictObject({
    displaySettings: z.strictObject(settings).partial().openapi({
      description: "What is left out stays as it is.",
    }),
  })
  .openapi("DisplayBody");

const Answer = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    displaySettings: z.object({ ...settings, operatorLabel: z.string() }),
    updatedAt: TimestampSchema.nullable().openapi({ description: "Null while never set." }),
  })
  .openapi("DisplaySettings");

export interface DisplayRouteDeps {
  readonly displays: DisplayService;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/profile/{name}/display`. */
export function displayRoutes({ displays, index, indexerWaitMs }: DisplayRouteDeps) {
  const params = z.object({ name: NameOrTokenIdParam });

  const getRoute = createRoute({
    method: "get",
    path: "/profile/{name}/display",
    operationId: "getDisplaySettings",
    tags: ["Profile"],
    summary: "What an agent's profile shows",
    request: {
      params,
      query: MinBlockQuery,
    },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The settings.",
        content: { "application/json": { schema: Answer } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses("INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  const putRoute = createRoute({
    method: "put",
    path: "/profile/{name}/display",
    operationId: "putDisplaySettings",
    tags: ["Profile"],
    summary: "Change what an agent's profile shows",
    description:
      "For pages and their readers. It hides nothing: addresses are on chain, and in the DID document and every check of validity.",
    request: { params, headers: IdempotencyHeaders, body: jsonBody(Body) },
    responses: {
      200: {
        description: "The settings from now on.",
        content: { "application/json": { schema: Answer } },
      },
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "UNSUPPORTED_MEDIA_TYPE",
        "NOT_FOUND",
        "BURNED",
        "SUSPENDED",
        "CHAIN_UNAVAILABLE",
        "REGISTRY_PENDING",
      ),
    },
  });

  return createRouter(operations)
    .openapi(getRoute, async (c) => {
      const { at, value } = await displays.read(c.req.valid("param").name);
      reflectsBlock(c, at, "same");
      return c.json(displayBody(value), 200);
    })
    .openapi(putRoute, async (c) => {
      const { name } = c.req.valid("param");
      const { displaySettings } = c.req.valid("json");
      const tokenId = await tokenIdOf(name);
      await authorise(c, tokenId);
      return c.json(displayBody(await displays.change(tokenId, displaySettings)), 200);
    });

  async function tokenIdOf(name: SoulRef): Promise<bigint> {
    return name.kind === "tokenId" ? name.tokenId : (await displays.read(name)).value.tokenId;
  }
}

function displayBody(display: AgentDisplay) {
  return {
    ...agentIds(display),
    agentName: display.agentName,
    displaySettings: display.displaySettings,
    updatedAt: display.updatedAt?.toISOString() ?? null,
  };
}
