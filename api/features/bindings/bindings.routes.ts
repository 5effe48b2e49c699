import { createRoute, z } from "@hono/zod-openapi";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import {
  INDEXED_BLOCK_HEADER,
  MinBlockQuery,
  minBlock,
  reflectsBlock,
} from "../../platform/http/indexed-block.ts";
import { pageBy, pageNumber, skippedBy } from "../../platform/http/lists/pages.ts";
import {
  AGENT_READ_ERRORS,
  createRouter,
  errorResponses,
  jsonBody,
} from "../../platform/http/router.ts";
import { idNumber, idNumberOrNull } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { BindingLists } from "./binding-list.ts";
import type { BindingService, SetBinding, WriteAuthority } from "./bindings.ts";
import { operations } from "./operation-rules.ts";
import {
  BindingHistorySchema,
  BindingIdParam,
  BindingListSchema,
  BindingQuery,
  bindingCursors,
  ChangeQuery,
  CreateBindingSchema,
  CreatedBindingSchema,
  changeCursors,
  NameOrTokenIdParam,
  UpdateBindingSchema,
  UpdatedBindingSchema,
} from "./schemas.ts";

export interface BindingRouteDeps {
  readonly bindings: BindingService;
  readonly bindingLists: BindingLists;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

const WRITE_ERRORS = [...OWNER_OPERATION_ERRORS, "FORBIDDEN", "WALLET_SIGNATURE_REQUIRED"] as const;

const createBinding = createRoute({
  method: "post",
  path: "/binding",
  operationId: "createBinding",
  tags: ["Bindings"],
  summary: "Bind an agent to another one: how far it trusts it",
  description:
    "With the agent's API key or its owner's session the binding has `SERVICE` authority. With the owner's EIP-712 signature (`signature`, `message`, `signer`) over `SetBinding`, from `POST /v1/typed-data/binding`, it has `OWNER` authority. What the owner set, only the owner's signature changes. Two agents have one binding in each direction: a second request changes it.",
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateBindingSchema) },
  responses: {
    201: {
      description: "The binding is on chain.",
      content: { "application/json": { schema: CreatedBindingSchema } },
    },
    ...errorResponses(...WRITE_ERRORS),
  },
});

const updateBinding = createRoute({
  method: "put",
  path: "/binding/{bindingId}",
  operationId: "updateBinding",
  tags: ["Bindings"],
  summary: "Change how far an agent trusts another, or revoke it",
  description:
    "With the credentials of `POST /v1/binding`. `tokenId` is the agent that trusts. It can revoke a binding with an agent that was sold or burned.",
  request: {
    headers: IdempotencyHeaders,
    params: z.object({ bindingId: BindingIdParam }),
    body: jsonBody(UpdateBindingSchema),
  },
  responses: {
    200: {
      description: "The change is on chain.",
      content: { "application/json": { schema: UpdatedBindingSchema } },
    },
    ...errorResponses(...WRITE_ERRORS),
  },
});

/** `/binding`, its lists and history. */
export function bindingRoutes(deps: BindingRouteDeps) {
  const { bindings, bindingLists } = deps;
  const waits = minBlock(deps.index, deps.indexerWaitMs);

  const listBindings = createRoute({
    method: "get",
    path: "/binding/{name}",
    operationId: "listBindings",
    tags: ["Bindings"],
    summary: "The bindings of an agent, the newest first",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      query: z.object({ ...BindingQuery, ...MinBlockQuery.shape }),
    },
    middleware: waits,
    responses: {
      200: {
        description: "One page. A reseal of either agent ends a binding.",
        content: { "application/json": { schema: BindingListSchema } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses(...AGENT_READ_ERRORS),
    },
  });

  const getBindingHistory = createRoute({
    method: "get",
    path: "/binding/{bindingId}/history",
    operationId: "getBindingHistory",
    tags: ["Bindings"],
    summary: "Every change of a binding, the newest first",
    request: {
      params: z.object({ bindingId: BindingIdParam }),
      query: z.object({ ...ChangeQuery, ...MinBlockQuery.shape }),
    },
    middleware: waits,
    responses: {
      200: {
        description: "One page.",
        content: { "application/json": { schema: BindingHistorySchema } },
      },
      304: { description: "The client's copy is still valid." },
      ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING"),
    },
  });

  const routes = createRouter(operations);

  routes
    .openapi(createBinding, async (c) => {
      const { tokenId, partnerTokenId, trustLevel, context, ...signed } = c.req.valid("json");
      const request = {
        fromTokenId: tokenId,
        toTokenId: partnerTokenId,
        trustLevel,
        context,
      };
      const written = await bindings.write(
        request,
        authorityOf(signed, c.get("caller")),
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, written.indexedBlock.toString());
      return c.json({ ...writtenBody(written), createdAt: written.createdAt.toISOString() }, 201);
    })
    .openapi(updateBinding, async (c) => {
      const { bindingId } = c.req.valid("param");
      const { tokenId, trustLevel, context, ...signed } = c.req.valid("json");
      const authority = authorityOf(signed, c.get("caller"));
      // Before the binding is looked up: a caller without authority learns nothing else.
      if (authority.kind === "caller") await bindings.authorise(authority.caller, tokenId);
      const request = await bindings.requestOf({
        bindingId,
        fromTokenId: tokenId,
        trustLevel,
        context,
      });
      const written = await bindings.write(request, authority, requesterOf(c));
      c.header(INDEXED_BLOCK_HEADER, written.indexedBlock.toString());
      return c.json(
        {
          ...writtenBody(written),
          previousTrustLevel: written.previousTrustLevel,
          createdAt: written.createdAt.toISOString(),
          updatedAt: written.writtenAt,
        },
        200,
      );
    });

  routes
    .openapi(listBindings, async (c) => {
      const query = c.req.valid("query");
      const { direction, trustLevel, includeEnded, page, limit, cursor } = query;
      const { at, value } = await bindingLists.ofAgent(
        c.req.valid("param").name,
        { direction, trustLevel, includeEnded },
        pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] }),
      );
      reflectsBlock(c, at);
      return c.json(
        {
          agentName: value.agentName,
          tokenId: idNumberOrNull(value.tokenId),
          erc8004AgentId: idNumberOrNull(value.passportId),
          genesisStatus: value.genesisStatus,
          totalBindings: value.total,
          page: pageNumber(page, cursor),
          limit,
          bindings: value.bindings.map((binding) => ({
            bindingId: binding.bindingId,
            partnerAgent: binding.partnerAgent,
            partnerTokenId: idNumber(binding.partnerTokenId),
            trustLevel: binding.trustLevel,
            direction: binding.direction,
            context: binding.context,
            authority: binding.authority,
            authoritySince: binding.authoritySince.toISOString(),
            live: binding.live,
            createdAt: binding.createdAt.toISOString(),
            updatedAt: binding.updatedAt.toISOString(),
            txHash: binding.txHash,
          })),
          nextCursor: bindingCursors.text(value.next),
        },
        200,
      );
    })
    .openapi(getBindingHistory, async (c) => {
      const { bindingId } = c.req.valid("param");
      const { page, limit, cursor } = c.req.valid("query");
      const window = pageBy(limit, { cursor, counted: ["page", skippedBy(page, limit)] });
      const { at, value } = await bindingLists.history(bindingId, window);
      reflectsBlock(c, at);
      return c.json(
        {
          bindingId,
          fromAgent: value.fromAgent,
          toAgent: value.toAgent,
          totalChanges: value.total,
          page: pageNumber(page, cursor),
          limit,
          changes: value.changes.map(({ toEpoch, changedAt, ...change }) => ({
            ...change,
            partnerEpoch: toEpoch,
            changedAt: changedAt.toISOString(),
          })),
          nextCursor: changeCursors.text(value.next),
        },
        200,
      );
    });
  return routes;
}

type Signed = Pick<z.output<typeof CreateBindingSchema>, "message" | "signature" | "signer">;
type CallerAuthority = Extract<WriteAuthority, { readonly kind: "caller" }>;

/** The schema lets no request through that has only some parts of a signature. */
function authorityOf(
  { message, signature, signer }: Signed,
  caller: CallerAuthority["caller"],
): WriteAuthority {
  return message && signature && signer
    ? { kind: "owner", evidence: { message, signature, signer } }
    : { kind: "caller", caller };
}

function writtenBody(binding: SetBinding) {
  return {
    bindingId: binding.bindingId,
    fromAgent: binding.fromAgent,
    toAgent: binding.toAgent,
    fromTokenId: Number(binding.fromTokenId),
    toTokenId: Number(binding.toTokenId),
    trustLevel: binding.trustLevel,
    context: binding.context,
    authority: binding.authority,
    authoritySince: binding.authoritySince.toISOString(),
    txHash: binding.txHash,
  };
}
