import type { z } from "@hono/zod-openapi";
import { InvalidJsonError, parseJsonStrict } from "../../../protocol/json.ts";
import { type ApiError, badRequest } from "../../kernel/errors.ts";

/** A signature has at most 8 KiB, in hex, and its message is small. */
const LIMITS = { maxDepth: 4, maxBytes: 32 * 1024, largeIntegers: "refuse" } as const;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * What the header X-Svc-Owner-Signature carries: the signed body of a DELETE, as base64url of its
 * JSON.
 *
 * @throws ApiError INVALID_REQUEST
 */
export function ownerSignatureIn<Body>(header: string, schema: z.ZodType<Body>): Body {
  if (!BASE64URL.test(header)) throw invalid("Not base64url");
  const text = Buffer.from(header, "base64url").toString("utf8");
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join(".") || "The value"}: ${issue?.message}`);
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonStrict(text, LIMITS);
  } catch (error) {
    if (error instanceof InvalidJsonError) throw invalid("Not base64url of a JSON object");
    throw error;
  }
}

function invalid(message: string): ApiError {
  return badRequest("X-Svc-Owner-Signature", message);
}
