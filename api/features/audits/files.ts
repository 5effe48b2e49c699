import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { Field } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { AuditedFile, SoulReader } from "../../soul/text/soul-tasks.ts";

/** One part of an upload, as it arrives. */
export type UploadPart =
  | { readonly kind: "signature"; readonly value: Hex }
  /** Of the file after it. */
  | { readonly kind: "salt"; readonly value: Hex }
  | { readonly kind: "file"; readonly bytes: Uint8Array };

/** A file that was read. Its text is gone. */
export interface ReadFile extends AuditedFile {
  /** Its place in the request, for refusals. */
  readonly part: string;
  readonly hash: Hex;
  /** Whether the upload brought its salt. */
  readonly hasOwnSalt: boolean;
}

/** How the files of an upload are read. */
export interface FileReading {
  /** Salts for files without one of their own, by the name of the agent. */
  readonly salts: Readonly<Record<string, Hex>>;
  /** The fields whose values are kept. */
  readonly valuesOf: readonly Field[];
  /** Names a file in refusals. */
  readonly partOf: (index: number) => string;
  readonly maxFiles: number;
  /** See `TextOrigin`. */
  readonly caller: string;
}

/**
 * Reads an upload, one file at a time: each is hashed as soon as it has arrived, and its
 * bytes are overwritten before the next one is read.
 *
 * @returns The files in the order of the upload.
 * @throws ApiError INVALID_REQUEST for a part that is missing or sent twice, and for a file that is
 * not a soul; what `parts` throws; SERVICE_UNAVAILABLE.
 */
export async function readUpload(
  parts: AsyncIterable<UploadPart>,
  reader: SoulReader,
  { salts, valuesOf, partOf, maxFiles, caller }: FileReading,
): Promise<{ readonly signature: Hex; readonly files: readonly ReadFile[] }> {
  let signature: Hex | null = null;
  let salt: Hex | null = null;
  const files: ReadFile[] = [];
  const named = new Set<string>();
  for await (const given of parts) {
    if (given.kind === "signature") {
      if (signature !== null) throw badRequest("signature", "Sent twice");
      signature = given.value;
    } else if (given.kind === "salt") {
      if (salt !== null) throw badRequest("salt", "Sent twice for one file");
      salt = given.value;
    } else {
      const part = partOf(files.length);
      if (files.length === maxFiles) throw badRequest(part, `At most ${maxFiles} files`);
      const { bytes } = given;
      try {
        const hash: Hex = `0x${createHash("sha256").update(bytes).digest("hex")}`;
        const input = { source: bytes, part, salt, salts, valuesOf };
        const file = await reader.run("auditFile", input, { part, caller });
        if (file.agentName !== null && named.has(file.agentName)) {
          throw badRequest(part, "An earlier file states the same agent");
        }
        if (file.agentName !== null) named.add(file.agentName);
        files.push({ ...file, part, hash, hasOwnSalt: salt !== null });
      } finally {
        bytes.fill(0);
      }
      salt = null;
    }
  }
  if (salt !== null) throw badRequest("salt", "A salt comes before its file, and no file follows");
  if (files.length === 0) throw badRequest(partOf(0), "There is no file");
  if (signature === null) throw badRequest("signature", "It is missing");
  return { signature, files };
}
