import { base64urlnopad } from "@scure/base";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { BASE64URL_OF_32_BYTES, bytes32OfBase64url } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";

const SCHEME = "ar://";

/**
 * Form of a storage id: the canonical base64url form of 32 bytes, so that no two texts are one id.
 */
export const STORAGE_ID = BASE64URL_OF_32_BYTES;

/** The text is not a storage id. */
export class InvalidStorageIdError extends ProtocolError {
  override readonly name = "InvalidStorageIdError";
  readonly code = "invalid_storage_id";

  constructor(readonly text: string) {
    super("This is not the canonical base64url form of 32 bytes: 43 characters.");
  }
}

/** Whether `text` is the canonical base64url form of exactly 32 bytes. */
export function isStorageId(text: string): boolean {
  return STORAGE_ID.test(text);
}

/** The storage id of an item, from the 32 bytes that contracts hold. */
export function storageIdOf(archiveId: Hex): string {
  return base64urlnopad.encode(hexToBytes(archiveId, { size: 32 }));
}

/**
 * The 32 bytes that contracts hold of a storage id.
 *
 * @throws InvalidStorageIdError
 */
export function archiveIdOf(storageId: string): Hex {
  const bytes = bytes32OfBase64url(storageId);
  if (bytes === null) throw new InvalidStorageIdError(storageId);
  return bytesToHex(bytes);
}

/** The id in `ar://<id>`; null for any other URI. */
export function storageIdIn(uri: string): string | null {
  if (!uri.startsWith(SCHEME)) return null;
  const id = uri.slice(SCHEME.length);
  return isStorageId(id) ? id : null;
}
