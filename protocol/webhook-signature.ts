import { base64 } from "@scure/base";
import { bytesToHex } from "viem";
import { concatBytes, hmacSha256, utf8 } from "./bytes.ts";
import { SERVICE_LABEL } from "./constants.ts";

/** Headers of a webhook delivery. */
export const WEBHOOK_HEADERS = {
  /** `sha256=` and 64 hex digits, made with the current secret. */
  signature: `X-${SERVICE_LABEL}-Signature`,
  /** The same signature with the previous secret, while that one is still valid. */
  previousSignature: `X-${SERVICE_LABEL}-Signature-Previous`,
  /** Unix seconds of this attempt. */
  timestamp: `X-${SERVICE_LABEL}-Timestamp`,
  /** Of this attempt, never repeated. */
  nonce: `X-${SERVICE_LABEL}-Nonce`,
  /** Of the delivery: the same in all of its attempts. */
  delivery: `X-${SERVICE_LABEL}-Delivery`,
} as const;

/** The same delivery for receivers that verify Standard Webhooks. */
export const STANDARD_WEBHOOK_HEADERS = {
  /** Of the delivery, as `WEBHOOK_HEADERS.delivery`. */
  id: "webhook-id",
  /** Unix seconds of this attempt. */
  timestamp: "webhook-timestamp",
  /** One signature for each valid secret, separated by blanks. */
  signature: "webhook-signature",
} as const;

export const WEBHOOK_SECRET_PREFIX = "whsec_";

export interface WebhookSigningInput {
  /** As shown, prefix included: its UTF-8 bytes are the key. */
  readonly secret: string;
  /** Unix seconds as written in the header. */
  readonly timestamp: string;
  readonly nonce: string;
  /** The bytes of the body, before any parsing. */
  readonly rawBody: Uint8Array;
}

/** Value of the signature header: HMAC-SHA-256 over timestamp, `.`, nonce, `.` and the raw body. */
export function webhookSignature(input: WebhookSigningInput): string {
  const message = concatBytes(utf8(`${input.timestamp}.${input.nonce}.`), input.rawBody);
  return `sha256=${bytesToHex(hmacSha256(utf8(input.secret), message)).slice(2)}`;
}

/**
 * A signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over id, `.`, timestamp,
 * `.` and the raw body.
 */
export function standardWebhookSignature(
  input: Omit<WebhookSigningInput, "nonce"> & { readonly id: string },
): string {
  // Unlike above, the key is the decoded secret.
  const key = base64.decode(input.secret.slice(WEBHOOK_SECRET_PREFIX.length));
  const message = concatBytes(utf8(`${input.id}.${input.timestamp}.`), input.rawBody);
  return `v1,${base64.encode(hmacSha256(key, message))}`;
}
