import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { STANDARD_WEBHOOK_HEADERS, WEBHOOK_HEADERS } from "../../../protocol/webhook-signature.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { TimestampSchema } from "../../platform/http/schemas.ts";
import { EVENT_DATA, EVENT_SUMMARIES } from "./event-payloads.ts";
import { EVENT_NAMES, TEST_EVENT } from "./events.ts";

const headers = z.object({
  [WEBHOOK_HEADERS.signature]: z.string().openapi({
    pattern: "^sha256=[0-9a-f]{64}$",
    description: "HMAC-SHA-256 with the secret over timestamp, `.`, nonce, `.` and the raw body.",
  }),
  [WEBHOOK_HEADERS.previousSignature]: z.string().optional().openapi({
    pattern: "^sha256=[0-9a-f]{64}$",
    description: "The same with the previous secret, in the grace period after a rotation.",
  }),
  [WEBHOOK_HEADERS.timestamp]: z
    .string()
    .openapi({ pattern: "^[0-9]+$", description: "Unix seconds of this try." }),
  [WEBHOOK_HEADERS.nonce]: z.string().openapi({ description: "Of this try." }),
  [WEBHOOK_HEADERS.delivery]: z
    .uuid()
    .openapi({ description: "The same over all tries of one delivery." }),
  [STANDARD_WEBHOOK_HEADERS.id]: z
    .uuid()
    .openapi({ description: "For Standard Webhooks: the same id." }),
  [STANDARD_WEBHOOK_HEADERS.timestamp]: z.string().openapi({
    pattern: "^[0-9]+$",
    description: "For Standard Webhooks: Unix seconds of this try.",
  }),
  [STANDARD_WEBHOOK_HEADERS.signature]: z.string().openapi({
    pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$",
    description: "For Standard Webhooks: one signature for each valid secret.",
  }),
});

/** Adds the requests to webhooks to the document of `app`: one entry for each event. */
export function documentWebhooks(app: OpenAPIHono<AppEnv>): void {
  for (const event of EVENT_NAMES) document(app, event, EVENT_DATA[event], EVENT_SUMMARIES[event]);
  const data = z.object({ webhookId: z.uuid() });
  document(app, TEST_EVENT, data, "A test that the webhook's owner requested. It is tried once.");
}

function document(app: OpenAPIHono<AppEnv>, event: string, data: z.ZodType, summary: string): void {
  const schema = z.object({
    event: z.literal(event),
    timestamp: TimestampSchema,
    deliveryId: z.uuid(),
    data,
  });
  app.openAPIRegistry.registerWebhook({
    method: "post",
    path: event,
    operationId: `on ${event}`.replace(/[ .](\w)/g, (_match, letter: string) =>
      letter.toUpperCase(),
    ),
    tags: ["Webhooks"],
    summary,
    request: { headers, body: { required: true, content: { "application/json": { schema } } } },
    responses: {
      200: { description: "Accepted. Any 2xx counts; the body is not read." },
      401: { description: "The delivery is not authentic. Any status but 2xx is retried." },
    },
  });
}
