import { WEBHOOK_HEADERS, webhookSignature } from "../../protocol/webhook-signature.ts";

export { WEBHOOK_HEADERS };

/** A receiver accepts a delivery at most this many seconds before or after it was signed. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;

/** A received request. */
export interface ReceivedWebhook {
  /** The webhook's secret as it was shown, or several during a rotation. Never empty. */
  readonly secrets: string | readonly string[];
  /** The request's headers: a `Headers`, or an object as in Node's `http`, in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body before any parsing: parsing and serializing again changes the bytes. */
  readonly rawBody: Uint8Array | string;
  /** The receiver's own clock. */
  readonly now: Date;
  /**
   * Stores the nonce until `until` and returns whether it was known, in one atomic step. It is
   * called only after the signature was verified, so that other senders cannot fill the store or
   * use up a nonce.
   */
  readonly seenNonce: (nonce: string, until: Date) => boolean | Promise<boolean>;
}

/** Why a request was rejected. Answer all of them with 401 and the same body. */
export type WebhookRefusal =
  /** A header is absent, repeated or malformed. */
  | "malformed_headers"
  /** Signed more than five minutes before or after `now`. */
  | "timestamp_outside_tolerance"
  /** Not made with any of the secrets, or for another timestamp, nonce or body. */
  | "signature_mismatch"
  /** This attempt was received before. */
  | "nonce_seen"
  /** Signed, but not the JSON of a delivery. */
  | "malformed_body";

/** A delivered event. */
export interface WebhookDelivery {
  /** The same over all attempts of one delivery: store it, and process it once. */
  readonly deliveryId: string;
  readonly event: string;
  /** Time of the event. ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookVerdict =
  | { readonly ok: true; readonly delivery: WebhookDelivery }
  | { readonly ok: false; readonly status: 401; readonly reason: WebhookRefusal };

/**
 * Checks a delivery by five rules: in time, not seen before, signed, compared in constant time,
 * otherwise rejected with 401. It has no state and no clock.
 *
 * @throws TypeError without a secret, or when `now` is not a date: these would admit all or no
 * requests.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookVerdict> {
  const secrets = typeof received.secrets === "string" ? [received.secrets] : received.secrets;
  if (secrets.length === 0 || secrets.some((secret) => secret === "")) {
    throw new TypeError("verifyWebhook needs at least one secret.");
  }
  if (Number.isNaN(received.now.getTime()))
    throw new TypeError("verifyWebhook needs a valid time.");

  const header = (name: string) => headerOf(received.headers, name);
  const timestamp = header(WEBHOOK_HEADERS.timestamp);
  const nonce = header(WEBHOOK_HEADERS.nonce);
  const deliveryId = header(WEBHOOK_HEADERS.delivery);
  const signature = header(WEBHOOK_HEADERS.signature);
  if (
    timestamp === null ||
    !/^[0-9]{1,12}$/.test(timestamp) ||
    nonce === null ||
    !/^[\w-]{16,128}$/.test(nonce) ||
    deliveryId === null ||
    signature === null
  ) {
    return refused("malformed_headers");
  }

  const signedAt = Number(timestamp);
  const distance = Math.abs(received.now.getTime() / 1000 - signedAt);
  if (!(distance <= WEBHOOK_TOLERANCE_SECONDS)) return refused("timestamp_outside_tolerance");

  const rawBody =
    typeof received.rawBody === "string"
      ? new TextEncoder().encode(received.rawBody)
      : received.rawBody;
  const signatures = [signature, header(WEBHOOK_HEADERS.previousSignature)];
  let matches = false;
  for (const secret of secrets) {
    const expected = webhookSignature({ secret, timestamp, nonce, rawBody });
    for (const value of signatures) {
      if (value !== null && sameText(value, expected)) matches = true;
    }
  }
  if (!matches) return refused("signature_mismatch");

  // After this time the timestamp check rejects it.
  const until = new Date((signedAt + WEBHOOK_TOLERANCE_SECONDS) * 1000);
  if (await received.seenNonce(nonce, until)) return refused("nonce_seen");

  const delivery = parseDelivery(rawBody);
  // The header is not signed; the body is.
  if (delivery === null || delivery.deliveryId !== deliveryId) return refused("malformed_body");
  return { ok: true, delivery };
}

function refused(reason: WebhookRefusal): WebhookVerdict {
  return { ok: false, status: 401, reason };
}

/** The value of a header; null when it is absent or repeated. */
function headerOf(headers: ReceivedWebhook["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const wanted = name.toLowerCase();
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** Takes a time that depends on the length only, wherever the first difference is. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

function parseDelivery(rawBody: Uint8Array): WebhookDelivery | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(rawBody));
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  const { event, timestamp, deliveryId, data } = parsed as Partial<Record<string, unknown>>;
  if (typeof event !== "string" || typeof timestamp !== "string") return null;
  if (typeof deliveryId !== "string" || typeof data !== "object" || data === null) return null;
  return { deliveryId, event, timestamp, data: data as Record<string, unknown> };
}
