import { type Hex, sha256 } from "viem";
import { utf8 } from "../bytes.ts";

/** How long the files of an audit can be uploaded. */
export const AUDIT_UPLOAD_MS = 7 * 24 * 60 * 60_000;

/**
 * What the signer of an audit signs to upload its files, as a personal message (EIP-191). It names
 * the files by one hash: SHA-256 of the list of their SHA-256 hashes, each as 64 hexadecimal digits
 * and a line feed, in the order of the upload. `sha256sum <files> | cut -d' ' -f1 | sha256sum`
 * computes it.
 */
export function auditUploadText(auditId: string, fileHashes: readonly Hex[]): string {
  const list = fileHashes.map((hash) => `${hash.slice(2).toLowerCase()}\n`).join("");
  return `Upload for audit ${auditId}\nSHA-256 of the files' hashes: ${sha256(utf8(list)).slice(2)}`;
}
