import { z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import { endpoint } from "../../../platform/endpoint.ts";
import { authorise } from "../../../platform/http/guard.ts";
import { listCursors, TimePart } from "../../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../../platform/http/lists/pages.ts";
import { agentRead, agentWrite } from "../../../platform/http/operations.ts";
import { agentIds, idNumber, TokenIdParam } from "../../../platform/http/schemas.ts";
import type { DisclosureRequest, Party, WithDisclosure } from "../context.ts";
import type { ProvenField } from "../proving.ts";
import { type FieldValueJson, withValues } from "../schemas.ts";
import { confirmDelivery, fulfilRequest } from "./fulfilment.ts";
import type { AcceptedRequest } from "./requests.ts";
import { readRequest, requestFields, waitingRequests } from "./requests.ts";
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

const tag = "Selective disclosure";

export const requestDisclosure = endpoint({
  operationId: "requestDisclosure",
  rules: agentWrite,
  method: "post",
  path: "/disclose/request",
  tag,
  summary: "Ask an agent for fields of its soul",
  description:
    "Public values are given out at once. What the owner decides about goes to the agent's webhooks as `disclosure.requested`, for seven days. What the policy refuses is in `rejected`; when that is every field, the request is refused with 403.",
  body: RequestSchema,
  done: "Public values with their proofs, and the fields that wait for the owner.",
  answer: PartialRequestAnswer,
  otherAnswers: {
    202: {
      description: "Every field waits for the owner.",
      content: { "application/json": { schema: PendingRequestAnswer } },
    },
  },
  errors: ["INVALID_NAME", "NOT_FOUND", "BURNED"],
  async run({ body }, { disclosure }: WithDisclosure, c) {
    await authorise(c, body.requesterTokenId);
    const { disclosureEndpoint = null, disclosurePublicKey = null, ...wish } = body;
    const accepted = await requestFields(
      disclosure,
      c.get("caller"),
      { ...wish, endpoint: disclosureEndpoint, publicKey: disclosurePublicKey },
      c.get("operationKey"),
    );
    return accepted.given.length === 0
      ? c.json(pendingBody(accepted.request), 202)
      : partialBody(accepted);
  },
});

export const getDisclosureRequest = endpoint({
  operationId: "getDisclosureRequest",
  rules: agentRead,
  method: "get",
  path: "/disclose/request/{requestId}",
  tag,
  summary: "A disclosure request, for the two agents that it is about",
  params: { requestId: z.uuid() },
  done: "Its state and its fields, without any value.",
  answer: RequestAnswerSchema,
  errors: ["NOT_FOUND"],
  run: async ({ requestId }, { disclosure }: WithDisclosure, c) =>
    requestBody(await readRequest(disclosure, c.get("caller"), requestId)),
});

const cursors = listCursors(
  "disclosure requests",
  z.strictObject({ createdAt: TimePart, id: z.uuid() }),
);

export const listDisclosureRequests = endpoint({
  operationId: "listDisclosureRequests",
  rules: agentRead,
  method: "get",
  path: "/disclose/requests/{tokenId}",
  tag,
  summary: "The disclosure requests that wait for an agent's owner",
  params: { tokenId: TokenIdParam },
  query: { limit: limitParam(20), offset: offsetParam(1_000_000), cursor: cursors.param },
  done: "Open requests to this agent, the oldest first.",
  answer: WaitingRequestsAnswer,
  errors: ["NOT_FOUND", "BURNED"],
  async run({ tokenId, limit, offset, cursor }, { disclosure }: WithDisclosure, c) {
    const page = pageBy(limit, { cursor, counted: ["offset", offset] });
    await authorise(c, tokenId);
    const found = await waitingRequests(disclosure, c.get("caller"), tokenId, page);
    return {
      ...agentIds({ tokenId, passportId: found.passportId }),
      totalRequests: found.total,
      requests: found.requests.map(waitingBody),
      nextCursor: cursors.text(found.next),
    };
  },
});

const ofOwner = {
  method: "post",
  tag,
  params: { requestId: z.uuid() },
  errors: ["NOT_FOUND", "BURNED", "GONE", "HASH_MISMATCH"],
} as const;

export const fulfilDisclosureRequest = endpoint({
  ...ofOwner,
  operationId: "fulfilDisclosureRequest",
  rules: withValues,
  path: "/disclose/request/{requestId}/fulfill",
  summary: "Answer a disclosure request through the service",
  description:
    "The values are proved and sent to the requester's webhooks as `disclosure.fulfilled`, once and from memory: nothing of them is stored, so this operation takes no `Idempotency-Key`. The answer ends the request. When `requesterNotified` is false, the same request sends the values again.",
  body: FulfilSchema,
  done: "Answered.",
  answer: FulfilledAnswer,
  async run({ requestId, body }, { disclosure }: WithDisclosure, c) {
    await authorise(c, body.tokenId);
    assertSameRequest(requestId, body.requestId);
    const { answer, proven, deliveryProblem } = await fulfilRequest(disclosure, c.get("caller"), {
      ...body,
      requestId,
      expiresIn: body.expiresIn,
    });
    return {
      requestId,
      status: "fulfilled" as const,
      mode: "api_relayed" as const,
      fulfilled: proven.map(provenBody),
      denied: [...answer.denied],
      disclosureId: answer.disclosureId,
      requesterNotified: deliveryProblem === null,
      deliveryProblem,
      expiresAt: answer.expiresAt?.toISOString() ?? null,
    };
  },
});

export const confirmDisclosureDelivery = endpoint({
  ...ofOwner,
  operationId: "confirmDisclosureDelivery",
  rules: agentWrite,
  path: "/disclose/request/{requestId}/confirm-p2p",
  summary: "Record that a disclosure request was answered from peer to peer",
  description: "For the agent's history. Takes no values.",
  body: ConfirmSchema,
  done: "Recorded.",
  answer: ConfirmedAnswer,
  async run({ requestId, body }, { disclosure }: WithDisclosure, c) {
    const { fulfilledFields: fields, ...rest } = body;
    await authorise(c, body.tokenId);
    assertSameRequest(requestId, body.requestId);
    const answer = await confirmDelivery(disclosure, c.get("caller"), {
      ...rest,
      requestId,
      expiresIn: body.expiresIn,
      fields,
    });
    return {
      requestId,
      status: "fulfilled" as const,
      mode: "p2p_direct" as const,
      fulfilledFields: [...answer.fulfilled],
      denied: [...answer.denied],
      disclosureId: answer.disclosureId,
      expiresAt: answer.expiresAt?.toISOString() ?? null,
      note: "Recorded for the history. The service has not seen the values.",
    };
  },
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

function pendingBody(request: DisclosureRequest): z.input<typeof PendingRequestAnswer> {
  const { id, pending, webhookSent, expiresAt } = request;
  return {
    requestId: id,
    status: "pending_approval",
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
