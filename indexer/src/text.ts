import { type Hex, keccak256, stringToBytes, zeroHash } from "viem";
import { storageIdOf } from "../../protocol/storage-id.ts";

// Everything here meets strings and bytes that anybody can put on chain for the price of the gas. PostgreSQL refuses NUL in
// text and btree keys above 2,704 bytes, and the decoder has already put U+FFFD for broken UTF-8 and dropped a leading byte
// order mark. A handler that throws stops the whole index, so nothing in this file throws.

/** Longest text kept, in UTF-16 code units. A transaction of 16,777,216 gas cannot store more than 25,000 bytes. */
export const MAX_TEXT_LENGTH = 65_536;

/** Longest bytes value kept. */
export const MAX_BYTES_LENGTH = 65_536;

/** Longest metadata key kept as it is: at most 384 bytes of UTF-8, far below PostgreSQL's limit for an index entry. */
export const MAX_KEY_LENGTH = 128;

/**
 * `value` when it can be stored and given back unchanged, else null. Never a repaired or shortened form: a URI with some
 * characters gone is another URI.
 */
export function storableText(value: string): string | null {
  return value.length <= MAX_TEXT_LENGTH && isVerbatim(value) ? value : null;
}

/** An archive id of 32 bytes as the 43 characters that permanent storage knows it by; null when none was named. */
export function archiveText(archiveId: Hex): string | null {
  return archiveId === zeroHash ? null : storageIdOf(archiveId);
}

/** `value` when it is at most {@link MAX_BYTES_LENGTH} bytes, else null. */
export function storableBytes(value: Hex): Hex | null {
  return (value.length - 2) / 2 <= MAX_BYTES_LENGTH ? value : null;
}

/**
 * The name under which a metadata key is stored: the key itself, or `keyHash` when the key cannot be kept exactly.
 *
 * The decoded text alone cannot be trusted: `\uFEFFagentWallet`, `agent\0Wallet` or broken UTF-8 would all be stored as
 * another key, and `agentWallet` is one that the registry lets nobody set without that wallet's signature. Two different
 * keys never share a row.
 *
 * @param decoded the event's `metadataKey`.
 * @param keyHash the event's indexed copy: keccak256 of the key's bytes.
 */
export function metadataKey(decoded: string, keyHash: string): string {
  const exact =
    decoded.length <= MAX_KEY_LENGTH &&
    isVerbatim(decoded) &&
    !LOOKS_LIKE_HASH.test(decoded) &&
    keccak256(stringToBytes(decoded)) === keyHash;
  return exact ? decoded : keyHash;
}

const LOOKS_LIKE_HASH = /^0x[0-9a-f]{64}$/;

/** With the `u` flag a pair is one character, so that only a half without its other half is a surrogate. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function isVerbatim(value: string): boolean {
  return !value.includes("\0") && !LONE_SURROGATE.test(value);
}
