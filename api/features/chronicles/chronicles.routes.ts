import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { CHRONICLE_CATEGORIES } from "../../../protocol/index.ts";
import type { Links } from "../../kernel/links.ts";
import type { TypedDataOf } from "../../operations/typed-data/typed-data.http.ts";
import { unsigned } from "../../operations/typed-data/unsigned-message.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import {
  limitParam,
  pageBy,
  pageNumber,
  pageParam,
  skippedBy,
} from "../../platform/http/lists/pages.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { idNumber, idNumberOrNull, NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { IndexProgress, Reading } from "../../soul/index-reads.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import type { PassportUpdateService } from "../passports/index.ts";
import { type ChronicleProofs, commonBody } from "./batches/proofs.http.ts";
import type { ChronicleService, RecordedChronicle } from "./chronicles.ts";
import { evolutionMessageJson } from "./content.ts";
import { operations } from "./operation-rules.ts";
import type { ChronicleRequestService } from "./requests.ts";
import {
  ChronicleBodySchema,
  ChronicleListSchema,
  ChronicleProofSchema,
  ChronicleRequestId,
  ChronicleRequestSchema,
  OpenRequestSchema,
  RecordedSchema,
  RequestedSchema,
} from "./schemas.ts";

export interface ChronicleRouteDeps {
  readonly chronicles: ChronicleService;
  readonly chronicleRequests: ChronicleRequestService;
  readonly passportUpdates: PassportUpdateService;
  readonly chronicleProofs: ChronicleProofs;
  readonly profiles: {
    /** @throws ApiError NOT_FOUND */
    status(
      agent: SoulRef,
    ): Promise<
      Reading<{ readonly tokenId: bigint | null; readonly erc8004AgentId: bigint | null }>
    >;
  };
  readonly typedDataOf: TypedDataOf;
  readonly links: Links;
  readonly index: IndexProgress;
  readonly indexerWaitMs: number;
}

const bodyErrors = ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
const callerErrors = [
  "UNAUTHORIZED",
  "FULL_KEY_REQUIRED",
  "FORBIDDEN",
  "NOT_OWNER",
  "NOT_FOUND",
  "BURNED",
  "SUSPENDED",
  "CHAIN_UNAVAILABLE",
] as const;

const recordRoute = createRoute({
  method: "post",
  path: "/chronicle",
  operationId: "recordChronicle",
  tags: ["Chronicle"],
  summary: "Record what happened in an agent's life",
  description:
    "With the agent's API key or its owner's session, or with the owner's EIP-712 signature (`signature`, `message`, `signer`), which `soul_revision` and `operator_change` require. Those two take effect on chain before the answer; every other record is queued for the next hourly batch. At most 5 a day and agent, and 5 of those two.",
  request: { headers: IdempotencyHeaders, body: jsonBody(ChronicleBodySchema) },
  responses: {
    201: {
      description: "Recorded: confirmed at once, or queued.",
      content: { "application/json": { schema: RecordedSchema } },
    },
    ...errorResponses(
      ...bodyErrors,
      ...callerErrors,
      "WALLET_SIGNATURE_REQUIRED",
      "INVALID_SIGNATURE",
      "NONCE_EXPIRED",
      "NONCE_USED",
      "WALLET_NOT_DEPLOYED",
      "IDEMPOTENCY_CONFLICT",
      "GONE",
      "INVALID_MERKLE_DATA",
      "STORAGE_UNAVAILABLE",
      "GAS_BUDGET_EXHAUSTED",
      "REGISTRY_PENDING",
    ),
  },
});

const requestRoute = createRoute({
  method: "post",
  path: "/chronicle/request",
  operationId: "requestChronicle",
  tags: ["Chronicle"],
  summary: "Ask the owner to sign a chronicle",
  request: { headers: IdempotencyHeaders, body: jsonBody(ChronicleRequestSchema) },
  responses: {
    201: {
      description: "A page for the owner, for 24 hours.",
      content: { "application/json": { schema: RequestedSchema } },
    },
    ...errorResponses(...bodyErrors, ...callerErrors, "IDEMPOTENCY_CONFLICT"),
  },
});

const openRoute = createRoute({
  method: "get",
  path: "/chronicle/request",
  operationId: "getChronicleRequest",
  tags: ["Chronicle"],
  summary: "A chronicle that waits for its owner's signature",
  description: "Any caller with the id may read it: it is 128 random bits.",
  request: { query: z.object({ id: ChronicleRequestId }) },
  responses: {
    200: {
      description: "The request, and what to sign.",
      content: { "application/json": { schema: OpenRequestSchema } },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "GONE", "CHAIN_UNAVAILABLE"),
  },
});

const proofRoute = createRoute({
  method: "get",
  path: "/chronicle/{queueId}/proof",
  operationId: "getChronicleProof",
  tags: ["Chronicle"],
  summary: "The proof that a chronicle is on chain",
  description:
    "`svc verify chronicle`, or any contract with OpenZeppelin's `MerkleProof`, checks it without this service.",
  request: { params: z.object({ queueId: z.string().max(128) }) },
  responses: {
    200: {
      description: "The proof, or when to expect it.",
      content: { "application/json": { schema: ChronicleProofSchema } },
    },
    304: { description: "The client's copy is still valid." },
    ...errorResponses("NOT_FOUND"),
  },
});

const cursors = listCursors("chronicles", z.strictObject({ chronicleId: IdPart }));

/** `/chronicle`, and its legacy paths. */
export function chronicleRoutes(deps: ChronicleRouteDeps) {
  const { chronicles, chronicleProofs, chronicleRequests, links } = deps;

  const listRoute = createRoute({
    method: "get",
    path: "/chronicle/{name}",
    operationId: "listChronicles",
    tags: ["Chronicle"],
    summary: "An agent's chronicles, the newest first",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      query: z.object({
        page: pageParam,
        limit: limitParam(25),
        cursor: cursors.param,
        category: z.enum(CHRONICLE_CATEGORIES).optional(),
        changeType: z.string().max(64).optional(),
        includeDetails: z.enum(["true", "false"]).default("false"),
        ...MinBlockQuery.shape,
      }),
    },
    middleware: minBlock(deps.index, deps.indexerWaitMs),
    responses: {
      200: {
        description: "One page.",
        content: { "application/json": { schema: ChronicleListSchema } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses("INVALID_REQUEST", "INVALID_NAME", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  async function record(
    c: Context<AppEnv>,
    body: z.output<typeof ChronicleBodySchema>,
  ): Promise<RecordedChronicle> {
    const { message, signature, signer, requestId } = body;
    const sent = { tokenId: body.tokenId, category: body.category, data: body.data };
    const operationKey = c.get("operationKey");
    if (!message || !signature || !signer) {
      return chronicles.record(sent, c.get("caller"), operationKey);
    }
    const input = requestId === undefined ? sent : await chronicleRequests.fill(requestId, sent);
    const evidence = { message, signature, signer };
    const recorded = await chronicles.recordSigned(input, evidence, requesterOf(c));
    if (requestId !== undefined) await chronicleRequests.submitted(requestId);
    return recorded;
  }

  async function recordedBody(chronicle: RecordedChronicle) {
    const { tokenId, newSoulHash: soulHash, archiveId } = chronicle;
    const updates =
      soulHash === null
        ? null
        : await deps.passportUpdates.afterRevision({ tokenId, soulHash, archiveId });
    // JSON leaves out undefined fields.
    const isFinal = chronicle.status === "confirmed" && chronicle.txHash !== null;
    return {
      ...commonBody(chronicle),
      status: chronicle.status,
      pendingMetadata: updates?.pendingMetadata.map((entry) => ({ ...entry })),
      needsAgentUriUpdate: updates?.needsAgentUriUpdate,
      agentUriTransaction: updates?.agentUriTransaction,
      approvalTransaction: updates?.approvalTransaction,
      txHash: isFinal ? chronicle.txHash : undefined,
      estimatedConfirmation: isFinal
        ? undefined
        : chronicles.estimatedConfirmation(chronicle.recordedAt).toISOString(),
    };
  }

  function listedBody(chronicle: RecordedChronicle, withDetails: boolean) {
    const { evidence } = chronicle;
    return {
      ...commonBody(chronicle),
      newSoulHash: chronicle.newSoulHash,
      arweaveUrl: links.storage(chronicle.archiveId),
      status: chronicle.status,
      batchId: idNumberOrNull(chronicle.batchId),
      txHash: chronicle.txHash,
      chronicleHash: chronicle.leaf,
      contentHash: chronicle.contentHash,
      ...(withDetails && {
        detail: {
          data: { ...chronicle.data },
          authority: chronicle.authority,
          signature: evidence?.signature ?? null,
          message: evidence && evolutionMessageJson(evidence.message),
          signer: evidence?.signer ?? null,
        },
      }),
    };
  }

  const routes = createRouter(operations);

  routes
    .openapi(openRoute, async (c) => {
      const { request, status, message } = await chronicleRequests.open(c.req.valid("query").id);
      return c.json(
        {
          requestId: request.id,
          tokenId: idNumber(request.tokenId),
          agentName: request.agentName,
          category: request.category,
          changeType: request.changeType,
          data: { ...request.data },
          description: request.description,
          createdAt: request.createdAt.toISOString(),
          expiresAt: request.expiresAt.toISOString(),
          status,
          nonce: request.nonce.toString(),
          eip712Data:
            message &&
            (await deps.typedDataOf(unsigned("SoulRegistry", "RecordEvolution", message))),
        },
        200,
      );
    })
    .openapi(requestRoute, async (c) => {
      const { description, ...input } = c.req.valid("json");
      const { id, expiresAt } = await chronicleRequests.create(
        { ...input, description: description ?? null },
        c.get("caller"),
        c.get("operationKey"),
      );
      return c.json(
        { requestId: id, signUrl: links.sign(id), expiresAt: expiresAt.toISOString() },
        201,
      );
    })
    .openapi(proofRoute, async (c) => {
      const chronicle = await chronicleProofs.find(c.req.valid("param").queueId);
      const body = await chronicleProofs.proof(chronicle);
      return c.json(body, 200);
    });

  routes
    .openapi(recordRoute, async (c) => {
      const chronicle = await record(c, c.req.valid("json"));
      return c.json(await recordedBody(chronicle), 201);
    })
    .openapi(listRoute, async (c) => {
      const query = c.req.valid("query");
      const { page, limit, cursor, category, changeType, includeDetails } = query;
      const window = pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] });
      const { at, value } = await deps.profiles.status(c.req.valid("param").name);
      const { tokenId, erc8004AgentId } = value;
      // No soul has the id 0: the list is empty before the claim.
      const found = await chronicles.list(tokenId ?? 0n, { category, changeType }, window);
      reflectsBlock(c, at);
      return c.json(
        {
          tokenId: idNumberOrNull(tokenId),
          erc8004AgentId: idNumberOrNull(erc8004AgentId),
          chronicles: found.chronicles.map((one) => listedBody(one, includeDetails === "true")),
          pagination: {
            page: pageNumber(page, cursor),
            limit,
            total: found.total,
            totalPages: Math.ceil(found.total / limit),
          },
          nextCursor: cursors.text(found.next),
        },
        200,
      );
    });
  return routes;
}
