import { z } from "@hono/zod-openapi";
import {
  AddressSchema,
  AmountSchema,
  Hex32Schema,
  SignatureSchema,
} from "../platform/http/schemas.ts";

/** Longest text in a message, in UTF-16 units: a URI on permanent storage is far shorter. */
const MAX_TEXT = 2048;

const integer = z
  .union([AmountSchema, z.int().min(0).transform(BigInt)])
  .openapi({ type: "string", pattern: "^(0|[1-9][0-9]*)$" });

const unsigned = (bits: number) =>
  z
    .int()
    .min(0)
    .max(2 ** bits - 1);

/** One field of a signed message, by its EIP-712 type. */
const FIELD_SCHEMAS = {
  address: AddressSchema,
  bool: z.boolean(),
  bytes: z
    .string()
    .max(2 * MAX_TEXT)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "Not whole bytes in hex with 0x")
    .toLowerCase(),
  bytes32: Hex32Schema,
  string: z.string().max(MAX_TEXT),
  uint8: unsigned(8),
  uint16: unsigned(16),
  uint32: unsigned(32),
  uint56: integer,
  uint64: integer,
  uint256: integer,
} as const;

/** Schema of a message of that EIP-712 type, as `POST /v1/typed-data/…` returned it. */
export function typedMessageSchema(
  fields: readonly { readonly name: string; readonly type: keyof typeof FIELD_SCHEMAS }[],
) {
  return z.strictObject(
    Object.fromEntries(fields.map(({ name, type }) => [name, FIELD_SCHEMAS[type]])),
  );
}

const evidence = {
  signature: SignatureSchema.openapi({ description: "Of `message`, by `signer`." }),
  signer: AddressSchema.openapi({ description: "The passport's owner." }),
};

/** What every signed body carries besides its own fields, of a message with these fields. */
export function messageShape<Message>(
  name: string,
  fields: Parameters<typeof typedMessageSchema>[0],
) {
  const message = typedMessageSchema(fields).openapi(`${name}Message`);
  return { ...evidence, message: message as unknown as z.ZodType<Message> };
}

/** For bodies of a key or a session, which have no signature, or of an owner, with all its parts. */
export function allOrNone(
  body: { readonly [Part in "signature" | "message" | "signer"]?: unknown },
  context: z.RefinementCtx,
): void {
  const parts = ["signature", "message", "signer"] as const;
  const missing = parts.filter((part) => body[part] === undefined);
  if (missing.length === parts.length) return;
  for (const part of missing) {
    context.addIssue({ code: "custom", path: [part], message: "Missing beside the others" });
  }
}

/** Errors that every operation with an owner's signature can answer with. */
export const OWNER_OPERATION_ERRORS = [
  "INVALID_REQUEST",
  "INVALID_SIGNATURE",
  "NONCE_EXPIRED",
  "NONCE_USED",
  "NOT_OWNER",
  "NOT_FOUND",
  "BURNED",
  "SUSPENDED",
  "WALLET_NOT_DEPLOYED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "CHAIN_UNAVAILABLE",
  "STORAGE_UNAVAILABLE",
  "GAS_BUDGET_EXHAUSTED",
  "REGISTRY_PENDING",
] as const;

/** Errors that the preparation of every such operation can answer with. */
export const TYPED_DATA_ERRORS = [
  "INVALID_REQUEST",
  "NOT_FOUND",
  "BURNED",
  "SUSPENDED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "CHAIN_UNAVAILABLE",
  "STORAGE_UNAVAILABLE",
] as const;
