import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { credentialOf, unlessEnded } from "../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../platform/http/lists/cursors.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { agentRead, agentWrite } from "../../platform/http/operations.ts";
import { TokenIdParam } from "../../platform/http/schemas.ts";
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

interface WebhookParts {
  readonly webhooks: WebhookService;
}

const common = { tag: "Webhooks", errors: ["NOT_OWNER", "NOT_FOUND", "BURNED"] } as const;
const ofWebhook = { ...common, params: { webhookId: z.uuid() } } as const;
const STORE_SECRET = "Store the secret: it is not shown again.";

export const createWebhook = endpoint({
  ...common,
  operationId: "createWebhook",
  rules: { ...agentWrite, access: "any-key" },
  method: "post",
  path: "/webhooks",
  summary: "Have an agent's events posted to a URL",
  description:
    "With the agent's full key or its owner's session; with a provisional key for the registration, whose webhooks follow the claim. The URL is checked now and at every delivery.",
  body: CreateWebhookSchema,
  status: 201,
  done: "Registered and enabled.",
  answer: CreatedWebhookSchema,
  errors: [...common.errors, "FORBIDDEN", "FULL_KEY_REQUIRED"],
  async run({ body }, { webhooks }: WebhookParts, c) {
    const { tokenId = null, url, events, notifyEmail = null } = body;
    const created = await webhooks.create(
      c.get("caller"),
      { tokenId, url, events, notifyEmail },
      c.get("operationKey"),
      credentialOf(c),
    );
    await unlessEnded(c, () => webhooks.takeBack(created.webhookId));
    return { ...created, message: STORE_SECRET };
  },
});

export const listWebhooks = endpoint({
  ...common,
  operationId: "listWebhooks",
  rules: agentRead,
  method: "get",
  path: "/webhooks",
  summary: "An agent's webhooks",
  query: {
    tokenId: TokenIdParam.optional().openapi({
      description: "The agent. May be left out with a key.",
    }),
  },
  done: "In the order in which they were registered.",
  answer: z.object({ webhooks: z.array(WebhookSchema) }),
  async run({ tokenId = null }, { webhooks }: WebhookParts, c) {
    const listed = await webhooks.list(c.get("caller"), tokenId);
    return { webhooks: listed.map(webhookAnswer) };
  },
});

export const deleteWebhook = endpoint({
  ...ofWebhook,
  operationId: "deleteWebhook",
  rules: { ...agentWrite, bodyBytes: 0, idempotent: false },
  method: "delete",
  path: "/webhooks/{webhookId}",
  summary: "Remove a webhook and its pending deliveries",
  done: "Removed.",
  run: async ({ webhookId }, { webhooks }: WebhookParts, c) =>
    webhooks.remove(c.get("caller"), webhookId),
});

export const updateWebhook = endpoint({
  ...ofWebhook,
  operationId: "updateWebhook",
  rules: { ...agentWrite, idempotent: false },
  method: "patch",
  path: "/webhooks/{webhookId}",
  summary: "Enable or disable a webhook",
  description:
    "Enabling sends the deliveries that were pending when it was disabled. It does not send failed ones, nor events since then: recover does.",
  body: UpdateWebhookSchema,
  done: "The webhook's current state.",
  answer: WebhookSchema,
  async run({ webhookId, body }, { webhooks }: WebhookParts, c) {
    const state = body.enabled ? "enabled" : "disabled";
    return webhookAnswer(await webhooks.setEnabled(c.get("caller"), webhookId, state));
  },
});

export const rotateWebhook = endpoint({
  ...ofWebhook,
  operationId: "rotateWebhook",
  rules: agentWrite,
  method: "post",
  path: "/webhooks/{webhookId}/rotate",
  summary: "Replace a webhook's secret",
  description:
    "From now on deliveries are signed with the new secret. During the grace period they are also signed with the previous one, in its own header.",
  body: RotateWebhookSchema,
  done: "The new secret.",
  answer: RotatedWebhookSchema,
  async run({ webhookId, body }, { webhooks }: WebhookParts, c) {
    const rotated = await webhooks.rotate(
      c.get("caller"),
      webhookId,
      body.graceSeconds,
      c.get("operationKey"),
    );
    return {
      ...rotated,
      previousValidUntil: rotated.previousValidUntil?.toISOString() ?? null,
      message: STORE_SECRET,
    };
  },
});

export const testWebhook = endpoint({
  ...ofWebhook,
  operationId: "testWebhook",
  rules: agentWrite,
  method: "post",
  path: "/webhooks/{webhookId}/test",
  summary: "Send a test event, once",
  description: "It is also sent while the webhook is disabled, and its failure disables nothing.",
  status: 202,
  done: "Enqueued: its delivery shows the result.",
  answer: z.object({ deliveryId: z.uuid() }),
  run: async ({ webhookId }, { webhooks }: WebhookParts, c) => ({
    deliveryId: await webhooks.test(c.get("caller"), webhookId, c.get("operationKey")),
  }),
});

const cursors = listCursors("deliveries", z.strictObject({ createdAt: TimePart, id: z.uuid() }));

export const listWebhookDeliveries = endpoint({
  ...ofWebhook,
  operationId: "listWebhookDeliveries",
  rules: agentRead,
  method: "get",
  path: "/webhooks/{webhookId}/deliveries",
  summary: "A webhook's deliveries, newest first, and how each try ended",
  description: "Stored for 30 days. Of a receiver's answer only the status is stored.",
  query: { limit: limitParam(25), cursor: cursors.param },
  done: "One page.",
  answer: z.object({ deliveries: z.array(DeliverySchema), nextCursor: NextCursor }),
  async run({ webhookId, limit, cursor }, { webhooks }: WebhookParts, c) {
    const page = { limit, after: cursor };
    const { entries, next } = await webhooks.deliveries(c.get("caller"), webhookId, page);
    return { deliveries: entries.map(deliveryAnswer), nextCursor: cursors.text(next) };
  },
});

export const resendWebhookDelivery = endpoint({
  ...common,
  operationId: "resendWebhookDelivery",
  rules: agentWrite,
  method: "post",
  path: "/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
  params: { webhookId: z.uuid(), deliveryId: z.uuid() },
  summary: "Send a delivery again, under the same id",
  status: 202,
  done: "Enqueued, or paused until the webhook is enabled.",
  answer: ResentSchema,
  errors: [...common.errors, "GONE"],
  run: async ({ webhookId, deliveryId }, { webhooks }: WebhookParts, c) => ({
    deliveryId,
    status: await webhooks.resend(c.get("caller"), webhookId, deliveryId),
  }),
});

export const recoverWebhook = endpoint({
  ...ofWebhook,
  operationId: "recoverWebhook",
  rules: agentWrite,
  method: "post",
  path: "/webhooks/{webhookId}/recover",
  summary: "Send the undelivered events of a range of time",
  description: `Events that failed, or happened while the webhook was disabled, each once and under the id of its delivery. At most ${MAX_RECOVERED} a call, the oldest first: call again with the same body while \`remaining\` is not 0. Delivered and pending events are not sent again. The webhook must be enabled.`,
  body: RecoverWebhookSchema,
  status: 202,
  done: "Enqueued.",
  answer: RecoveredSchema,
  async run({ webhookId, body: { since, until } }, { webhooks }: WebhookParts, c) {
    const recovered = await webhooks.recover(c.get("caller"), webhookId, {
      since: new Date(since),
      until: until === undefined ? null : new Date(until),
    });
    return { webhookId, ...recovered };
  },
});
