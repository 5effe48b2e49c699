import { base64urlnopad } from "@scure/base";
import { type Hex, hexToBytes, isHex, sha256 } from "viem";

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The parts concatenated. Hash only concatenations whose parts have known lengths or length prefixes. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether `value` is `0x` and exactly 64 hexadecimal digits. */
export function isHash(value: unknown): value is Hex {
  return typeof value === "string" && value.length === 66 && isHex(value, { strict: true });
}

/**
 * 32 bytes in base64url (RFC 4648, section 5) without padding. 43 characters carry 258 bits: of the last one's six bits the two
 * lowest are 0, so that no two texts are the same bytes.
 */
export const BASE64URL_OF_32_BYTES = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The 32 bytes of their canonical base64url form; null for any other text. */
export function bytes32OfBase64url(text: string): Uint8Array | null {
  return BASE64URL_OF_32_BYTES.test(text) ? base64urlnopad.decode(text) : null;
}

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (RFC 2104). Written over the one SHA-256 that this package uses everywhere, because the platform's HMAC is
 * either asynchronous (browsers) or absent from browsers (Node), and this code runs in both.
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key, "bytes") : key);
  const inner = sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
    "bytes",
  );
  return sha256(
    concatBytes(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
    "bytes",
  );
}

/** The bytes of a hash or salt checked with {@link isHash}. */
export function hashBytes(hash: Hex): Uint8Array {
  return hexToBytes(hash, { size: 32 });
}
