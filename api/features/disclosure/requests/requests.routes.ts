import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import { authorise } from "../../../platform/http/guard.ts";
import { listCursors, TimePart } from "../../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../../platform/http/lists/pages.ts";
import { createRouter, errorResponses, jsonBody } from "../../../platform/http/router.ts";
import { agentIds, idNumber, TokenIdParam } from "../../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../../platform/idempotency/idempotency.http.ts";
import { operations } from "../operation-rules.ts";
import type { ProvenField } from "../proving.ts";
import type { FieldValueJson } from "../schemas.ts";
import type { Fulfilment } from "./fulfilment.ts";
import type { AcceptedRequest, DisclosureRequest, DisclosureRequests, Party } from "./requests.ts";
import {
  ConfirmedAnswer,
  ConfirmSchema,
  FulfilledAnswer,
  FulfilSchema,
  PartialRequestAnswer,
  PendingRequestAnswer,
  RequestAnswerSchema,
  RequestSchema,
  WaitingRequestsAnswer,
} from "./schemas.ts";

const RequestParams = z.object({ requestId: z.uuid() });

const requestDisclosure = createRoute({
  method: "post",
  path: "/disclose/request",
  operationId: "requestDisclosure",
  tags: ["Selective disclosure"],
  summary: "Ask an agent for fields of its soul",
  description:
    "Public values are given out at once. What the owner decides about goes to the agent's webhooks as `disclosure.requested`, for seven days. What the policy refuses is in `rejected`; when that is every field, the request is refused with 403.",
  request: { headers: IdempotencyHeaders, body: jsonBody(RequestSchema) },
  responses: {
    200: {
      description: "Public values with their proofs, and the fields that wait for the owner.",
      content: { "application/json": { schema: PartialRequestAnswer } },
    },
    202: {
      description: "Every field waits for the owner.",
      content: { "application/json": { schema: PendingRequestAnswer } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "INVALID_NAME",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
    ),
  },
});

const getRequest = createRoute({
  method: "get",
  path: "/disclose/request/{requestId}",
  operationId: "getDisclosureRequest",
  tags: ["Selective disclosure"],
  summary: "A disclosure request, for the two agents that it is about",
  request: { params: RequestParams },
  responses: {
    200: {
      description: "Its state and its fields, without any value.",
      content: { "application/json": { schema: RequestAnswerSchema } },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

const cursors = listCursors(
  "disclosure requests",
  z.strictObject({ createdAt: TimePart, id: z.uuid() }),
);

const listRequests = createRoute({
  method: "get",
  path: "/disclose/requests/{tokenId}",
  operationId: "listDisclosureRequests",
  tags: ["Selective disclosure"],
  summary: "The disclosure requests that wait for an agent's owner",
  request: {
    params: z.object({ tokenId: TokenIdParam }),
    query: z.object({
      limit: limitParam(20),
      offset: offsetParam(1_000_000),
      cursor: cursors.param,
    }),
  },
  responses: {
    200: {
      description: "Open requests to this agent, the oldest first.",
      content: { "application/json": { schema: WaitingRequestsAnswer } },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "BURNED"),
  },
});

const ANSWER_ERRORS = errorResponses(
  "INVALID_REQUEST",
  "UNSUPPORTED_MEDIA_TYPE",
  "NOT_FOUND",
  "BURNED",
  "SUSPENDED",
  "GONE",
  "HASH_MISMATCH",
);

const fulfil = createRoute({
  method: "post",
  path: "/disclose/request/{requestId}/fulfill",
  operationId: "fulfilDisclosureRequest",
  tags: ["Selective disclosure"],
  summary: "Answer a disclosure request through the service",
  description:
    "The values are proved and sent to the requester's webhooks as `disclosure.fulfilled`, once and from memory: nothing of them is stored, so this operation takes no `Idempotency-Key`. The answer ends the request. When `requesterNotified` is false, the same request sends the values again.",
  request: { params: RequestParams, body: jsonBody(FulfilSchema) },
  responses: {
    200: {
      description: "Answered.",
      content: { "application/json": { schema: FulfilledAnswer } },
    },
    ...ANSWER_ERRORS,
  },
});

const confirm = createRoute({
  method: "post",
  path: "/disclose/request/{requestId}/confirm-p2p",
  operationId: "confirmDisclosureDelivery",
  tags: ["Selective disclosure"],
  summary: "Record that a disclosure request was answered from peer to peer",
  description: "For the agent's history. Takes no values.",
  request: { headers: IdempotencyHeaders, params: RequestParams, body: jsonBody(ConfirmSchema) },
  responses: {
    200: {
      description: "Recorded.",
      content: { "application/json": { schema: ConfirmedAnswer } },
    },
    ...ANSWER_ERRORS,
  },
});

export interface DisclosureRequestRouteDeps {
  readonly disclosureRequests: DisclosureRequests;
  readonly disclosureAnswers: Fulfilment;
}

/** `/disclose/request`. */
export const disclosureRequestRoutes = ({
  disclosureRequests: requests,
  disclosureAnswers: answers,
}: DisclosureRequestRouteDeps) =>
  createRouter(operations)
    .openapi(requestDisclosure, async (c) => {
      const body = c.req.valid("json");
      await authorise(c, body.requesterTokenId);
      const { disclosureEndpoint, disclosurePublicKey, ...wish } = body;
      const accepted = await requests.request(
        c.get("caller"),
        { ...wish, endpoint: disclosureEndpoint ?? null, publicKey: disclosurePublicKey ?? null },
        c.get("operationKey"),
      );
      return accepted.given.length === 0
        ? c.json(pendingBody(accepted.request), 202)
        : c.json(partialBody(accepted), 200);
    })
    .openapi(getRequest, async (c) => {
      const { requestId } = c.req.valid("param");
      return c.json(requestBody(await requests.read(c.get("caller"), requestId)), 200);
    })
    .openapi(listRequests, async (c) => {
      const { tokenId } = c.req.valid("param");
      const { limit, offset, cursor } = c.req.valid("query");
      const page = pageBy(limit, { cursor, counted: ["offset", offset] });
      await authorise(c, tokenId);
      const found = await requests.waiting(c.get("caller"), tokenId, page);
      return c.json(
        {
          ...agentIds({ tokenId, passportId: found.passportId }),
          totalRequests: found.total,
          requests: found.requests.map(waitingBody),
          nextCursor: cursors.text(found.next),
        },
        200,
      );
    })
    .openapi(fulfil, async (c) => {
      const { requestId } = c.req.valid("param");
      const body = c.req.valid("json");
      await authorise(c, body.tokenId);
      assertSameRequest(requestId, body.requestId);
      const { answer, proven, deliveryProblem } = await answers.fulfil(c.get("caller"), {
        ...body,
        requestId,
        expiresIn: body.expiresIn,
      });
      return c.json(
        {
          requestId,
          status: "fulfilled" as const,
          mode: "api_relayed" as const,
          fulfilled: proven.map(provenBody),
          denied: [...answer.denied],
          disclosureId: answer.disclosureId,
          requesterNotified: deliveryProblem === null,
          deliveryProblem,
          expiresAt: answer.expiresAt?.toISOString() ?? null,
        },
        200,
      );
    })
    .openapi(confirm, async (c) => {
      const { requestId } = c.req.valid("param");
      const { fulfilledFields, ...body } = c.req.valid("json");
      await authorise(c, body.tokenId);
      assertSameRequest(requestId, body.requestId);
      const answer = await answers.confirm(c.get("caller"), {
        ...body,
        requestId,
        expiresIn: body.expiresIn,
        fields: fulfilledFields,
      });
      return c.json(
        {
          requestId,
          status: "fulfilled" as const,
          mode: "p2p_direct" as const,
          fulfilledFields: [...answer.fulfilled],
          denied: [...answer.denied],
          disclosureId: answer.disclosureId,
          expiresAt: answer.expiresAt?.toISOString() ?? null,
          note: "Recorded for the history. The service has not seen the values.",
        },
        200,
      );
    });

function assertSameRequest(inPath: string, inBody: string | undefined): void {
  if (inBody === undefined || inBody === inPath) return;
  throw badRequest("requestId", `The path says ${inPath}`);
}

const provenBody = ({ field, value, merkleProof }: ProvenField) => ({
  field,
  value: value as FieldValueJson,
  merkleProof: [...merkleProof],
  verified: true as const,
});

const rejectedBody = ({ rejected }: DisclosureRequest) =>
  rejected.map(({ field, reason }) => ({ field, reason }));

function pendingBody(request: DisclosureRequest) {
  const { id, pending, webhookSent, expiresAt } = request;
  return {
    requestId: id,
    status: "pending_approval" as const,
    requestedFields: pending.map(({ field }) => field),
    rejected: rejectedBody(request),
    webhookSent,
    p2pAvailable: pending.some(({ p2pAvailable }) => p2pAvailable),
    expiresAt: expiresAt.toISOString(),
    note: "The agent's owner decides. Ask for this request's state, or wait for disclosure.fulfilled.",
  };
}

function partialBody({ request, given }: AcceptedRequest) {
  const { id, pending, webhookSent, expiresAt } = request;
  return {
    requestId: id,
    status: pending.length > 0 ? ("partially_fulfilled" as const) : ("fulfilled" as const),
    fulfilled: given.map((proven) => ({ ...provenBody(proven), source: "public" as const })),
    pending: pending.map(({ field, p2pAvailable }) => ({
      field,
      status: "awaiting_owner" as const,
      webhookSent,
      p2pAvailable,
      expiresAt: expiresAt.toISOString(),
    })),
    rejected: rejectedBody(request),
  };
}

function waitingBody({ id, requester, pending, reason, createdAt, expiresAt }: DisclosureRequest) {
  return {
    requestId: id,
    requester: partyBody(requester),
    requestedFields: pending.map(({ field }) => field),
    reason,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function requestBody(request: DisclosureRequest) {
  const { answer } = request;
  return {
    requestId: request.id,
    status: request.state,
    requester: partyBody(request.requester),
    target: partyBody(request.target),
    requestedFields: [...request.requestedFields],
    given: [...request.given],
    pending: request.pending.map(({ field, mode, p2pAvailable }) => ({
      field,
      mode,
      p2pAvailable,
    })),
    rejected: rejectedBody(request),
    reason: request.reason,
    freshnessRequired: request.freshnessRequired,
    disclosureEndpoint: request.endpoint,
    disclosurePublicKey: request.publicKey,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    answer:
      answer === null
        ? null
        : {
            mode: answer.mode,
            fulfilledFields: [...answer.fulfilled],
            denied: [...answer.denied],
            disclosureId: answer.disclosureId,
            requesterNotified: answer.requesterNotified,
            answeredAt: answer.at.toISOString(),
            expiresAt: answer.expiresAt?.toISOString() ?? null,
          },
  };
}

const partyBody = ({ tokenId, name, did }: Party) => ({
  tokenId: idNumber(tokenId),
  agentName: name,
  did,
});
