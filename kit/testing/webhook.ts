import {
  STANDARD_WEBHOOK_HEADERS,
  standardWebhookSignature,
  WEBHOOK_HEADERS,
  webhookSignature,
} from "../../protocol/webhook-signature.ts";
import { EXAMPLE_WEBHOOK_SECRET } from "./fixtures.ts";

/** An event as the service delivers it. Everything but the event has a default. */
export interface TestDelivery {
  /** Such as `chronicle.recorded`. */
  readonly event: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** `EXAMPLE_WEBHOOK_SECRET` by default. Begins with `whsec_`, and base64 follows. */
  readonly secret?: string;
  /** The same over all tries of one delivery; a new one by default. */
  readonly deliveryId?: string;
  /** Time of the event and of this try; now by default. */
  readonly now?: Date;
}

/** A delivery of an event, signed as the service signs it: post `body` with `headers`. */
export function signedDelivery(delivery: TestDelivery): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const { event, data = {}, secret = EXAMPLE_WEBHOOK_SECRET, now = new Date() } = delivery;
  const { deliveryId = crypto.randomUUID() } = delivery;
  const body = JSON.stringify({ event, timestamp: now.toISOString(), deliveryId, data });
  const signed = {
    secret,
    timestamp: String(Math.floor(now.getTime() / 1000)),
    nonce: crypto.randomUUID(),
    rawBody: new TextEncoder().encode(body),
  };
  return {
    headers: {
      "content-type": "application/json",
      [WEBHOOK_HEADERS.signature]: webhookSignature(signed),
      [WEBHOOK_HEADERS.timestamp]: signed.timestamp,
      [WEBHOOK_HEADERS.nonce]: signed.nonce,
      [WEBHOOK_HEADERS.delivery]: deliveryId,
      [STANDARD_WEBHOOK_HEADERS.id]: deliveryId,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: signed.timestamp,
      [STANDARD_WEBHOOK_HEADERS.signature]: standardWebhookSignature({ ...signed, id: deliveryId }),
    },
    body,
  };
}
