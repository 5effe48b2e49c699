import { randomUUID } from "node:crypto";
import {
  STANDARD_WEBHOOK_HEADERS,
  standardWebhookSignature,
  WEBHOOK_HEADERS,
  webhookSignature,
} from "../../../protocol/webhook-signature.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import { OUTBOUND_REASONS, OutboundError } from "../../platform/outbound/ports.ts";
import { traced } from "../../platform/tracing/spans.ts";
import { TEST_EVENT, UNSTORED_EVENT } from "./events.ts";
import type { OpenDelivery, TryError, TryOutcome, TryRecord, WebhookRecord } from "./records.ts";
import { retryDelay } from "./retries.ts";
import type { WebhookSecrets } from "./secrets.ts";

/** What a try is made with. */
export interface Sender {
  readonly http: OutboundHttp;
  readonly secrets: WebhookSecrets;
  readonly clock: () => Date;
  /** Called with the outcome of each try. */
  readonly observe?: ((outcome: TryError | "delivered") => void) | undefined;
}

/** How one request to a receiver ended. */
export type Tried = Omit<TryRecord, "number">;

/** What a try sends, and where to. */
type TriedDelivery = Pick<OpenDelivery, "event" | "webhook"> & {
  readonly delivery: Pick<OpenDelivery["delivery"], "id"> &
    Partial<Pick<OpenDelivery["delivery"], "traceparent">>;
};

/**
 * Sends one event to one webhook, once.
 *
 * @throws the signal's reason when the process stops; LostWebhookSecretError.
 */
export function tryOnce(
  sender: Sender,
  tried: TriedDelivery,
  signal?: AbortSignal,
): Promise<Tried> {
  const { id, traceparent: of } = tried.delivery;
  // Neither the receiver's address nor what it is sent. It is not sent the trace: receivers of
  // different agents could tell that one request caused their events.
  const attributes = { "svc.delivery.id": id, "svc.event": tried.event.event };
  return traced("webhook delivery", { kind: "client", of, attributes }, async (span) => {
    const ended = await send(sender, tried, signal);
    if (ended.statusCode !== null) span?.set({ "http.response.status_code": ended.statusCode });
    if (ended.error !== null) span?.set({ "error.type": ended.error });
    return ended;
  });
}

async function send(
  { http, secrets, clock, observe }: Sender,
  { delivery, event, webhook }: TriedDelivery,
  signal: AbortSignal | undefined,
): Promise<Tried> {
  const startedAt = clock();
  const body = JSON.stringify({
    event: event.event,
    timestamp: event.occurredAt.toISOString(),
    deliveryId: delivery.id,
    data: event.data,
  });
  const headers = signedHeaders(secrets, webhook, delivery.id, body, startedAt);
  const before = performance.now();
  const ended = (statusCode: number | null, error: Tried["error"]): Tried => {
    observe?.(error ?? "delivered");
    const durationMs = Math.round(performance.now() - before);
    return { startedAt, durationMs, statusCode, error };
  };
  try {
    const { status } = await http.request({
      method: "POST",
      url: webhook.url,
      headers,
      body,
      maxResponseBytes: 0,
      ...(signal === undefined ? {} : { signal }),
    });
    return ended(status, status >= 200 && status < 300 ? null : "http_status");
  } catch (error) {
    if (error instanceof OutboundError) return ended(error.status, error.reason);
    throw error;
  }
}

function signedHeaders(
  secrets: WebhookSecrets,
  webhook: WebhookRecord,
  deliveryId: string,
  body: string,
  at: Date,
) {
  const { current, previous } = secrets.signingWith(webhook, at);
  const signed = {
    timestamp: String(Math.floor(at.getTime() / 1000)),
    nonce: randomUUID(),
    rawBody: Buffer.from(body, "utf8"),
  };
  return {
    "Content-Type": "application/json",
    [WEBHOOK_HEADERS.signature]: webhookSignature({ ...signed, secret: current }),
    ...(previous === null
      ? {}
      : {
          [WEBHOOK_HEADERS.previousSignature]: webhookSignature({ ...signed, secret: previous }),
        }),
    [WEBHOOK_HEADERS.timestamp]: signed.timestamp,
    [WEBHOOK_HEADERS.nonce]: signed.nonce,
    [WEBHOOK_HEADERS.delivery]: deliveryId,
    [STANDARD_WEBHOOK_HEADERS.id]: deliveryId,
    [STANDARD_WEBHOOK_HEADERS.timestamp]: signed.timestamp,
    [STANDARD_WEBHOOK_HEADERS.signature]: [current, ...(previous === null ? [] : [previous])]
      .map((secret) => standardWebhookSignature({ ...signed, secret, id: deliveryId }))
      .join(" "),
  };
}

/** A failed try in a sentence. It quotes nothing of the answer. */
export function problemOf({ error, statusCode }: Tried): string {
  const why =
    error === null || error === "http_status"
      ? `it answered with status ${statusCode}`
      : OUTBOUND_REASONS[error];
  return `The webhook did not accept it: ${why}.`;
}

/** The state of a delivery after a try. */
export function outcomeOf(
  { delivery, event }: OpenDelivery,
  tried: Tried,
  at: Date,
  random: () => number,
): TryOutcome {
  const { sequence, nextTryAt } = delivery;
  if (tried.error === null) {
    return { state: "delivered", failures: 0, sequence, nextTryAt, deliveredAt: at };
  }
  const failures = delivery.failures + 1;
  const isTriedOnce = event.event === TEST_EVENT || event.event === UNSTORED_EVENT;
  const wait = isTriedOnce ? null : retryDelay(failures, random);
  if (wait === null) {
    return { state: "failed", failures, sequence, nextTryAt, deliveredAt: null };
  }
  return {
    state: "pending",
    failures,
    sequence: sequence + 1,
    nextTryAt: new Date(at.getTime() + wait),
    deliveredAt: null,
  };
}
