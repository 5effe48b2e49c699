import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../kernel/errors.ts";
import { authorise } from "../../platform/http/guard.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import {
  AGENT_READ_ERRORS,
  createRouter,
  errorResponses,
  jsonBody,
} from "../../platform/http/router.ts";
import { NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { AlignmentService } from "./alignment.ts";
import { operations } from "./operation-rules.ts";
import {
  AlignmentSchema,
  alignmentBody,
  CalculatedSchema,
  CalculateQuery,
  CalculateSchema,
  calculatedBody,
  refOf,
  StoredAlignmentSchema,
  storedBody,
} from "./schemas.ts";

export interface AlignmentRouteDeps {
  readonly alignments: AlignmentService;
  readonly index: IndexProgress;
  readonly indexerWaitMs: number;
}

const stored = {
  description: "The score that is on chain, with everything that it rests on.",
  content: { "application/json": { schema: AlignmentSchema } },
} as const;

const getStored = createRoute({
  method: "get",
  path: "/alignment/calculate",
  operationId: "getStoredAlignment",
  tags: ["Alignment"],
  summary: "The agent's own view of its recorded alignment score",
  description:
    "For the agent and its owner. `agentName` or `tokenId` names the agent. `snapshot` says how far its last snapshot has come.",
  request: { query: CalculateQuery },
  responses: {
    200: {
      description: stored.description,
      content: { "application/json": { schema: StoredAlignmentSchema } },
    },
    ...errorResponses(...AGENT_READ_ERRORS, "STORAGE_UNAVAILABLE"),
  },
});

const calculate = createRoute({
  method: "post",
  path: "/alignment/calculate",
  operationId: "calculateAlignment",
  tags: ["Alignment"],
  summary: "The alignment score as it would be now",
  description:
    "For the agent and its owner: `agentName` or `tokenId` names the agent. Nothing is stored or recorded; `POST /v1/snapshot` does that.",
  request: { body: jsonBody(CalculateSchema) },
  responses: {
    200: {
      description: "The score, and the facts that each component used.",
      content: { "application/json": { schema: CalculatedSchema } },
    },
    ...errorResponses(
      ...AGENT_READ_ERRORS,
      "UNSUPPORTED_MEDIA_TYPE",
      "BURNED",
      "STORAGE_UNAVAILABLE",
    ),
  },
});

/** `/alignment`. */
export function alignmentRoutes({ alignments, index, indexerWaitMs }: AlignmentRouteDeps) {
  const getAlignment = createRoute({
    method: "get",
    path: "/alignment/{name}",
    operationId: "getAlignment",
    tags: ["Alignment"],
    summary: "An agent's recorded alignment score",
    description:
      "With the six components, the facts that each used, and the archived item that holds all of them: anyone can recompute the score from the chain and that item.",
    request: { params: z.object({ name: NameOrTokenIdParam }), query: MinBlockQuery },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: stored,
      304: { description: "The client's copy is still valid." },
      ...errorResponses(...AGENT_READ_ERRORS, "STORAGE_UNAVAILABLE"),
    },
  });

  const routes = createRouter(operations);

  // Before `/alignment/{name}`: no agent has this name.
  routes.openapi(getStored, async (c) => {
    const ref = named(refOf(c.req.valid("query")));
    const tokenId = await alignments.tokenIdOf(ref);
    await authorise(c, tokenId);
    const { at, value } = await alignments.stored(ref);
    reflectsBlock(c, at);
    return c.json(storedBody(value, await alignments.progress(tokenId)), 200);
  });

  routes.openapi(calculate, async (c) => {
    const tokenId = await alignments.tokenIdOf(named(refOf(c.req.valid("json"))));
    await authorise(c, tokenId);
    const { at, value } = await alignments.calculate(tokenId);
    reflectsBlock(c, at);
    return c.json(calculatedBody(value), 200);
  });

  routes.openapi(getAlignment, async (c) => {
    const { at, value } = await alignments.stored(c.req.valid("param").name);
    reflectsBlock(c, at);
    return c.json(alignmentBody(value), 200);
  });
  return routes;
}

/** @throws ApiError INVALID_REQUEST */
function named(ref: SoulRef | null): SoulRef {
  if (ref === null) throw badRequest("", "Give either agentName or tokenId");
  return ref;
}
