import { z } from "@hono/zod-openapi";
import {
  IdAnswer,
  idNumberOrNull,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { EVENT_NAMES, TEST_EVENT } from "./events.ts";
import { DELIVERY_STATES, type ListedDelivery, TRY_ERRORS, type WebhookRecord } from "./records.ts";

const EventNameSchema = z.enum(EVENT_NAMES);

const DAY_SECONDS = 24 * 60 * 60;

export const CreateWebhookSchema = z.strictObject({
  tokenId: TokenIdSchema.nullish().openapi({
    description:
      "The agent. Optional with a key, which belongs to one agent. A provisional key has no agent before the claim.",
  }),
  url: z.string().max(2048).openapi({
    description:
      "https, port 443 or 1024 and above, no credentials, a host whose every address is public.",
    example: "https://hooks.example.com/agent",
  }),
  events: z
    .array(EventNameSchema)
    .min(1)
    .max(EVENT_NAMES.length)
    .openapi({ example: ["owner.claimed", "passport.transferred"] }),
  notifyEmail: z.email().max(254).nullish().openapi({
    description:
      "Notified by mail when the webhook fails, if the service sends mail. First one mail asks the address to confirm; nothing else is sent until then.",
  }),
});

export const UpdateWebhookSchema = z.strictObject({ enabled: z.boolean() });

export const RotateWebhookSchema = z.strictObject({
  graceSeconds: z
    .int()
    .min(0)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS)
    .openapi({
      description:
        "How long deliveries are also signed with the previous secret. 0 ends it at once.",
    }),
});

const secret = z.string().openapi({
  pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
  description: "Shown only now, and again only to the same Idempotency-Key.",
});

export const CreatedWebhookSchema = z
  .object({ webhookId: z.uuid(), secret, message: z.string() })
  .openapi("CreatedWebhook");

export const RotatedWebhookSchema = z
  .object({
    webhookId: z.uuid(),
    secret,
    previousValidUntil: TimestampSchema.nullable(),
    message: z.string(),
  })
  .openapi("RotatedWebhook");

export const WebhookSchema = z
  .object({
    webhookId: z.uuid(),
    tokenId: IdAnswer.nullable(),
    url: z.string(),
    events: z.array(EventNameSchema),
    notifyEmail: z.string().nullable(),
    notifyEmailConfirmed: z.boolean().openapi({
      description: "Whether notices are sent to `notifyEmail`: its holder has confirmed it.",
    }),
    enabled: z.boolean(),
    disabledReason: z.enum(["owner", "failures"]).nullable(),
    disabledAt: TimestampSchema.nullable(),
    createdAt: TimestampSchema,
  })
  .openapi("Webhook");

const DeliveryStatusSchema = z.enum(DELIVERY_STATES).openapi({
  description:
    "`paused`: it was pending when the webhook was disabled or the passport moved. `missed`: it happened while the webhook was disabled, or was paused for 7 days: recover sends it. `cancelled`: the webhook ended first, or the passport was away for 7 days.",
});

export const DeliverySchema = z
  .object({
    deliveryId: z.uuid(),
    event: z.enum([...EVENT_NAMES, TEST_EVENT]),
    status: DeliveryStatusSchema,
    createdAt: TimestampSchema,
    deliveredAt: TimestampSchema.nullable(),
    nextTryAt: TimestampSchema.nullable(),
    tries: z.array(
      z.object({
        number: z.int().min(1),
        startedAt: TimestampSchema,
        durationMs: z.int().min(0),
        statusCode: z.int().nullable(),
        error: z.enum(TRY_ERRORS).nullable(),
      }),
    ),
  })
  .openapi("WebhookDelivery");

export const RecoverWebhookSchema = z.strictObject({
  since: TimestampSchema.openapi({
    description: "Events from this time on, which is at most 30 days ago.",
    example: "2026-03-01T00:00:00Z",
  }),
  until: TimestampSchema.optional().openapi({
    description: "Events before this time. Default: now.",
    example: "2026-03-11T00:00:00Z",
  }),
});

export const RecoveredSchema = z
  .object({
    webhookId: z.uuid(),
    enqueued: z.int().min(0).openapi({ description: "Events that were enqueued by this call." }),
    remaining: z.int().min(0).openapi({
      description: "Events of the range that are still to be recovered: call again.",
    }),
  })
  .openapi("RecoveredWebhook");

export const ResentSchema = z.object({ deliveryId: z.uuid(), status: DeliveryStatusSchema });

export function webhookAnswer(webhook: WebhookRecord): z.input<typeof WebhookSchema> {
  const { id, tokenId, url, events, notifyEmail, enabled, disabledReason } = webhook;
  return {
    webhookId: id,
    tokenId: idNumberOrNull(tokenId),
    url,
    events: [...events],
    notifyEmail,
    notifyEmailConfirmed: webhook.mailConfirmedAt !== null,
    enabled,
    disabledReason,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
  };
}

export function deliveryAnswer(listed: ListedDelivery): z.input<typeof DeliverySchema> {
  const { delivery, event, tries } = listed;
  return {
    deliveryId: delivery.id,
    event,
    status: delivery.state,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    nextTryAt: delivery.state === "pending" ? delivery.nextTryAt.toISOString() : null,
    tries: tries.map(({ number, startedAt, durationMs, statusCode, error }) => ({
      number,
      startedAt: startedAt.toISOString(),
      durationMs,
      statusCode,
      error,
    })),
  };
}
