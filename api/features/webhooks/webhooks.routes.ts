import { createRoute, z } from "@hono/zod-openapi";
import { credentialOf, unlessEnded } from "../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../platform/http/lists/cursors.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import {
  CreatedWebhookSchema,
  CreateWebhookSchema,
  DeliverySchema,
  deliveryAnswer,
  RecoveredSchema,
  RecoverWebhookSchema,
  ResentSchema,
  RotatedWebhookSchema,
  RotateWebhookSchema,
  UpdateWebhookSchema,
  WebhookSchema,
  webhookAnswer,
} from "./schemas.ts";
import { MAX_RECOVERED, type WebhookService } from "./webhooks.ts";

const tags = ["Webhooks"];
const WebhookParams = z.object({ webhookId: z.uuid() });
const DeliveryParams = WebhookParams.extend({ deliveryId: z.uuid() });

const commonErrors = [
  "INVALID_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "FULL_KEY_REQUIRED",
  "NOT_OWNER",
  "NOT_FOUND",
  "SUSPENDED",
  "BURNED",
  "REGISTRY_PENDING",
] as const;
const bodyErrors = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
const postErrors = [...commonErrors, "IDEMPOTENCY_CONFLICT"] as const;

const createWebhook = createRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  tags,
  summary: "Have an agent's events posted to a URL",
  description:
    "With the agent's full key or its owner's session; with a provisional key for the registration, whose webhooks follow the claim. The URL is checked now and at every delivery.",
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateWebhookSchema) },
  responses: {
    201: {
      description: "Registered and enabled.",
      content: { "application/json": { schema: CreatedWebhookSchema } },
    },
    ...errorResponses(...postErrors, ...bodyErrors),
  },
});

const listWebhooks = createRoute({
  method: "get",
  path: "/webhooks",
  operationId: "listWebhooks",
  tags,
  summary: "An agent's webhooks",
  request: {
    query: z.object({
      tokenId: TokenIdParam.optional().openapi({
        description: "The agent. May be left out with a key.",
      }),
    }),
  },
  responses: {
    200: {
      description: "In the order in which they were registered.",
      content: {
        "application/json": { schema: z.object({ webhooks: z.array(WebhookSchema) }) },
      },
    },
    ...errorResponses(...commonErrors),
  },
});

const deleteWebhook = createRoute({
  method: "delete",
  path: "/webhooks/{webhookId}",
  operationId: "deleteWebhook",
  tags,
  summary: "Remove a webhook and its pending deliveries",
  request: { params: WebhookParams },
  responses: { 204: { description: "Removed." }, ...errorResponses(...commonErrors) },
});

const updateWebhook = createRoute({
  method: "patch",
  path: "/webhooks/{webhookId}",
  operationId: "updateWebhook",
  tags,
  summary: "Enable or disable a webhook",
  description:
    "Enabling sends the deliveries that were pending when it was disabled. It does not send failed ones, nor events since then: recover does.",
  request: { params: WebhookParams, body: jsonBody(UpdateWebhookSchema) },
  responses: {
    200: {
      description: "The webhook's current state.",
      content: { "application/json": { schema: WebhookSchema } },
    },
    ...errorResponses(...commonErrors, ...bodyErrors),
  },
});

const rotateWebhook = createRoute({
  method: "post",
  path: "/webhooks/{webhookId}/rotate",
  operationId: "rotateWebhook",
  tags,
  summary: "Replace a webhook's secret",
  description:
    "From now on deliveries are signed with the new secret. During the grace period they are also signed with the previous one, in its own header.",
  request: {
    headers: IdempotencyHeaders,
    params: WebhookParams,
    body: jsonBody(RotateWebhookSchema),
  },
  responses: {
    200: {
      description: "The new secret.",
      content: { "application/json": { schema: RotatedWebhookSchema } },
    },
    ...errorResponses(...postErrors, ...bodyErrors),
  },
});

const testWebhook = createRoute({
  method: "post",
  path: "/webhooks/{webhookId}/test",
  operationId: "testWebhook",
  tags,
  summary: "Send a test event, once",
  description: "It is also sent while the webhook is disabled, and its failure disables nothing.",
  request: { headers: IdempotencyHeaders, params: WebhookParams },
  responses: {
    202: {
      description: "Enqueued: its delivery shows the result.",
      content: { "application/json": { schema: z.object({ deliveryId: z.uuid() }) } },
    },
    ...errorResponses(...postErrors),
  },
});

const cursors = listCursors("deliveries", z.strictObject({ createdAt: TimePart, id: z.uuid() }));

const listDeliveries = createRoute({
  method: "get",
  path: "/webhooks/{webhookId}/deliveries",
  operationId: "listWebhookDeliveries",
  tags,
  summary: "A webhook's deliveries, newest first, and how each try ended",
  description: "Stored for 30 days. Of a receiver's answer only the status is stored.",
  request: {
    params: WebhookParams,
    query: z.object({
      limit: limitParam(25),
      cursor: cursors.param,
    }),
  },
  responses: {
    200: {
      description: "One page.",
      content: {
        "application/json": {
          schema: z.object({
            deliveries: z.array(DeliverySchema),
            nextCursor: NextCursor,
          }),
        },
      },
    },
    ...errorResponses(...commonErrors),
  },
});

const resendDelivery = createRoute({
  method: "post",
  path: "/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
  operationId: "resendWebhookDelivery",
  tags,
  summary: "Send a delivery again, under the same id",
  request: { headers: IdempotencyHeaders, params: DeliveryParams },
  responses: {
    202: {
      description: "Enqueued, or paused until the webhook is enabled.",
      content: { "application/json": { schema: ResentSchema } },
    },
    ...errorResponses(...postErrors, "GONE"),
  },
});

const recoverWebhook = createRoute({
  method: "post",
  path: "/webhooks/{webhookId}/recover",
  operationId: "recoverWebhook",
  tags,
  summary: "Send the undelivered events of a range of time",
  description: `Events that failed, or happened while the webhook was disabled, each once and under the id of its delivery. At most ${MAX_RECOVERED} a call, the oldest first: call again with the same body while \`remaining\` is not 0. Delivered and pending events are not sent again. The webhook must be enabled.`,
  request: {
    headers: IdempotencyHeaders,
    params: WebhookParams,
    body: jsonBody(RecoverWebhookSchema),
  },
  responses: {
    202: {
      description: "Enqueued.",
      content: { "application/json": { schema: RecoveredSchema } },
    },
    ...errorResponses(...postErrors, ...bodyErrors),
  },
});

/** Webhooks of an agent: for its full key and its owner's session. */
export const webhookRoutes = ({ webhooks }: { readonly webhooks: WebhookService }) =>
  createRouter(operations)
    .openapi(createWebhook, async (c) => {
      const { tokenId, url, events, notifyEmail } = c.req.valid("json");
      const created = await webhooks.create(
        c.get("caller"),
        { tokenId: tokenId ?? null, url, events, notifyEmail: notifyEmail ?? null },
        c.get("operationKey"),
        credentialOf(c),
      );
      await unlessEnded(c, () => webhooks.takeBack(created.webhookId));
      return c.json({ ...created, message: "Store the secret: it is not shown again." }, 201);
    })
    .openapi(listWebhooks, async (c) => {
      const { tokenId } = c.req.valid("query");
      const listed = await webhooks.list(c.get("caller"), tokenId ?? null);
      return c.json({ webhooks: listed.map(webhookAnswer) }, 200);
    })
    .openapi(deleteWebhook, async (c) => {
      await webhooks.remove(c.get("caller"), c.req.valid("param").webhookId);
      return c.body(null, 204);
    })
    .openapi(updateWebhook, async (c) => {
      const { webhookId } = c.req.valid("param");
      const state = c.req.valid("json").enabled ? "enabled" : "disabled";
      const updated = await webhooks.setEnabled(c.get("caller"), webhookId, state);
      return c.json(webhookAnswer(updated), 200);
    })
    .openapi(rotateWebhook, async (c) => {
      const rotated = await webhooks.rotate(
        c.get("caller"),
        c.req.valid("param").webhookId,
        c.req.valid("json").graceSeconds,
        c.get("operationKey"),
      );
      return c.json(
        {
          ...rotated,
          previousValidUntil: rotated.previousValidUntil?.toISOString() ?? null,
          message: "Store the secret: it is not shown again.",
        },
        200,
      );
    })
    .openapi(testWebhook, async (c) => {
      const { webhookId } = c.req.valid("param");
      const deliveryId = await webhooks.test(c.get("caller"), webhookId, c.get("operationKey"));
      return c.json({ deliveryId }, 202);
    })
    .openapi(listDeliveries, async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { webhookId } = c.req.valid("param");
      const page = { limit, after: cursor };
      const { entries, next } = await webhooks.deliveries(c.get("caller"), webhookId, page);
      const deliveries = entries.map(deliveryAnswer);
      return c.json({ deliveries, nextCursor: cursors.text(next) }, 200);
    })
    .openapi(recoverWebhook, async (c) => {
      const { webhookId } = c.req.valid("param");
      const { since, until } = c.req.valid("json");
      const recovered = await webhooks.recover(c.get("caller"), webhookId, {
        since: new Date(since),
        until: until === undefined ? null : new Date(until),
      });
      return c.json({ webhookId, ...recovered }, 202);
    })
    .openapi(resendDelivery, async (c) => {
      const { webhookId, deliveryId } = c.req.valid("param");
      const status = await webhooks.resend(c.get("caller"), webhookId, deliveryId);
      return c.json({ deliveryId, status }, 202);
    });
