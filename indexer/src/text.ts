import { LRUCache } from "lru-cache";
import { type Hex, keccak256, stringToBytes, zeroHash } from "viem";

// Any account can put these strings and bytes on chain for the price of the gas. PostgreSQL rejects
// NUL in text and btree keys above 2,704 bytes. The decoder has already replaced broken UTF-8 by
// U+FFFD and dropped a leading byte order mark. A handler that throws stops the whole index, so
// nothing in this file throws.

/**
 * Longest stored text, in UTF-16 code units. A transaction of 16,777,216 gas can store at most
 * 25,000 bytes.
 */
export const MAX_TEXT_LENGTH = 65_536;

/** Longest stored bytes value. */
export const MAX_BYTES_LENGTH = 65_536;

/**
 * Longest metadata key stored unchanged: at most 384 bytes of UTF-8, far below PostgreSQL's limit
 * for an index entry.
 */
export const MAX_KEY_LENGTH = 128;

/**
 * `value` when it can be stored and read back unchanged, else null. Never a repaired or shortened
 * form: a shortened URI is a different URI.
 */
export function storableText(value: string): string | null {
  return value.length <= MAX_TEXT_LENGTH && isVerbatim(value) ? value : null;
}

/** An archive id of 32 bytes in the storage's form of 43 characters; null for zero. */
export function archiveText(archiveId: Hex): string | null {
  return archiveId === zeroHash
    ? null
    : Buffer.from(archiveId.slice(2), "hex").toString("base64url");
}

/** `value` when it is at most {@link MAX_BYTES_LENGTH} bytes, else null. */
export function storableBytes(value: Hex): Hex | null {
  return (value.length - 2) / 2 <= MAX_BYTES_LENGTH ? value : null;
}

/**
 * The name under which a metadata key is stored: the key itself, or `keyHash` when the key cannot
 * be stored exactly.
 *
 * The decoded text alone is not safe: `\uFEFFagentWallet`, `agent\0Wallet` or broken UTF-8 would be
 * stored as another key, and the registry requires the wallet's signature to set `agentWallet`. Two
 * different keys never share a row.
 *
 * @param decoded the event's `metadataKey`.
 * @param keyHash the event's indexed copy: keccak256 of the key's bytes.
 */
export function metadataKey(decoded: string, keyHash: string): string {
  const exact =
    decoded.length <= MAX_KEY_LENGTH &&
    isVerbatim(decoded) &&
    !LOOKS_LIKE_HASH.test(decoded) &&
    hashOfKey(decoded) === keyHash;
  return exact ? decoded : keyHash;
}

/** Most passports set the same few keys, and hashing one takes longer than storing it. */
const hashesOfKeys = new LRUCache<string, Hex>({ max: 1_000 });

function hashOfKey(key: string): Hex {
  const known = hashesOfKeys.get(key);
  if (known !== undefined) return known;
  const hash = keccak256(stringToBytes(key));
  hashesOfKeys.set(key, hash);
  return hash;
}

const LOOKS_LIKE_HASH = /^0x[0-9a-f]{64}$/;

/** With the `u` flag a pair is one character, so that only an unpaired half matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function isVerbatim(value: string): boolean {
  return !value.includes("\0") && !LONE_SURROGATE.test(value);
}
