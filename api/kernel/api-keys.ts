import { createHash, randomBytes } from "node:crypto";
import { SERVICE_SEGMENT } from "../../protocol/constants.ts";
import { hashOfSecret } from "./secret-hash.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_BYTES = 32;

/** Base62 digits of 32 bytes: 62^43 is the first power above 2^256. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

/** `live`: the full key of a minted agent. `provisional`: reads only, and is exchanged for a full key after the claim. */
export const API_KEY_KINDS = ["live", "provisional"] as const;

export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

const KEY = new RegExp(
  `^${SERVICE_SEGMENT}_(${API_KEY_KINDS.join("|")})_([0-9A-Za-z]{${SECRET_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`,
);

/** A key whose form and checksum are right. Whether it was ever issued is for the store to say. */
export interface ParsedApiKey {
  readonly kind: ApiKeyKind;
  /** SHA-256 of the whole key: all that is ever stored. */
  readonly hash: Buffer;
}

/** What is stored in the place of a key. */
export interface StoredKey {
  /** SHA-256 of the whole key. */
  readonly hash: Buffer;
  /** The key's last characters, from its checksum. */
  readonly hint: string;
}

/** A new key: prefix, 32 random bytes in base62, checksum. Shown once, never stored. */
export function generateApiKey(kind: ApiKeyKind): string {
  return apiKeyOf(kind, randomBytes(SECRET_BYTES));
}

/**
 * The key with these 32 secret bytes. For keys that must come out the same when the operation that issues them is resumed: then
 * the bytes are derived, and nothing secret needs to be stored.
 *
 * @throws RangeError for another number of bytes.
 */
export function apiKeyOf(kind: ApiKeyKind, bytes: Buffer): string {
  if (bytes.byteLength !== SECRET_BYTES) throw new RangeError("An API key has 32 secret bytes.");
  const secret = base62(BigInt(`0x${bytes.toString("hex")}`), SECRET_DIGITS);
  const unchecked = `${SERVICE_SEGMENT}_${kind}_${secret}`;
  return unchecked + checksum(unchecked);
}

/** A key's kind and hash, or null when its form or checksum is wrong: a typo costs no query. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = KEY.exec(text);
  if (match === null) return null;
  if (checksum(text.slice(0, -CHECKSUM_DIGITS)) !== match[3]) return null;
  return { kind: match[1] as ApiKeyKind, hash: hashApiKey(text) };
}

/** How many of a key's last characters are kept to recognise it by. They are of its checksum, which is no secret. */
const HINT_LENGTH = 4;

/** What is stored of a key that is issued. */
export function storedKeyOf(key: string): StoredKey {
  return { hash: hashApiKey(key), hint: key.slice(-HINT_LENGTH) };
}

/** The hash of the whole key. */
export function hashApiKey(key: string): Buffer {
  return hashOfSecret(key);
}

/**
 * The first 8 bytes of the SHA-256 of everything before it, big-endian, modulo 62^6, as 6 base62 digits. It finds typos, and
 * lets secret scanners tell our keys from look-alikes; it proves nothing.
 */
function checksum(unchecked: string): string {
  const digest = createHash("sha256").update(unchecked, "utf8").digest();
  return base62(digest.readBigUInt64BE(0) % 62n ** BigInt(CHECKSUM_DIGITS), CHECKSUM_DIGITS);
}

/** Most significant digit first, with zeros in front up to `length`. */
function base62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; rest > 0n; rest /= 62n)
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  return digits.padStart(length, "0");
}
