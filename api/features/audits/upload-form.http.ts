import type { Context } from "hono";
import type { z } from "zod";
import { badRequest } from "../../kernel/errors.ts";
import { formParts } from "../../platform/http/bodies/multipart.ts";
import { UPLOAD_BYTES } from "../../platform/http/operations.ts";
import { Hex32Schema, SignatureSchema } from "../../platform/http/schemas.ts";
import type { UploadPart } from "./files.ts";

/** Far more than any signature or salt has. */
const TEXT_BYTES = 32 * 1024;

const TEXT_PARTS = ["signature", "salt"] as const;

/** What an upload may have in all. */
export interface UploadLimits {
  /** Name of the parts with files. */
  readonly fileName: "file" | "files[]";
  readonly maxFiles: number;
  readonly bodyBytes: number;
}

/**
 * The parts of an upload as they arrive.
 *
 * @throws ApiError of `formParts`; INVALID_REQUEST for a salt or signature of another form.
 */
export async function* uploadParts(
  c: Context,
  { fileName, maxFiles, bodyBytes }: UploadLimits,
): AsyncGenerator<UploadPart> {
  const partBytes = (name: string) => {
    if (name === fileName) return UPLOAD_BYTES;
    return (TEXT_PARTS as readonly string[]).includes(name) ? TEXT_BYTES : null;
  };
  // Each file may have a salt, and there is one signature.
  const limits = { partBytes, parts: 2 * maxFiles + 1, bodyBytes };
  for await (const { name, bytes } of formParts(c.req.raw, limits)) {
    if (name === fileName) yield { kind: "file", bytes };
    else if (name === "salt") yield { kind: "salt", value: textIn(name, bytes, Hex32Schema) };
    else yield { kind: "signature", value: textIn(name, bytes, SignatureSchema) };
  }
}

function textIn<Schema extends z.ZodType>(
  name: string,
  bytes: Uint8Array,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(Buffer.from(bytes).toString("latin1").trim());
  if (parsed.success) return parsed.data;
  throw badRequest(name, parsed.error.issues[0]?.message ?? "Of another form");
}
