import { type Hex, sha256 } from "viem";
import { isHash, utf8 } from "../bytes.ts";
import { CCSF_LIMITS } from "../ccsf.ts";
import { SERVICE_LABEL } from "../constants.ts";
import { ProtocolError } from "../errors.ts";
import { type Field, isField } from "../fields.ts";
import { isPlainObject, parseJsonStrict } from "../json.ts";

/** Header of a disclosure from peer to peer: `sha256=` and the owner's signature in hex. */
export const DISCLOSURE_SIGNATURE_HEADER = `X-${SERVICE_LABEL}-Disclosure-Signature`;

/** A value with its proof against `merkleRoot`. */
export interface DisclosedField {
  readonly field: Field;
  readonly value: unknown;
  readonly merkleProof: readonly Hex[];
  readonly merkleRoot: Hex;
}

/** What an owner sends to the endpoint of a requester. */
export interface DisclosurePayload {
  readonly requestId: string;
  readonly fromAgent: string;
  readonly fromTokenId: number;
  readonly disclosures: readonly DisclosedField[];
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
}

/** Greatest size of a payload in bytes: a whole soul, its proofs and an encrypted form fit. */
export const DISCLOSURE_BYTES = 4 * CCSF_LIMITS.bytes;

/**
 * What the owner signs: SHA-256 of the body's bytes as they are sent, encrypted or not. The wallet
 * signs these 32 bytes as a personal message (EIP-191).
 */
export function disclosureDigest(body: Uint8Array): Hex {
  return sha256(body);
}

/** Value of the signature header. */
export function disclosureSignatureHeader(signature: Hex): string {
  return `sha256=${signature.slice(2).toLowerCase()}`;
}

/** The signature in a header's value; null when it has another form. */
export function signatureOfHeader(value: string): Hex | null {
  const digits = /^sha256=((?:[0-9a-f]{2}){1,8192})$/.exec(value)?.[1];
  return digits === undefined ? null : `0x${digits}`;
}

/** A payload as the bytes that are sent or encrypted. */
export function disclosurePayloadBytes(payload: DisclosurePayload): Uint8Array {
  const { requestId, fromAgent, fromTokenId, disclosures, expiresAt } = payload;
  return utf8(
    JSON.stringify({
      requestId,
      fromAgent,
      fromTokenId,
      disclosures: disclosures.map(({ field, value, merkleProof, merkleRoot }) => ({
        field,
        value,
        merkleProof,
        merkleRoot,
      })),
      expiresAt,
    }),
  );
}

/** The object in a body; null for any other content. Duplicate keys and deep nesting are refused. */
export function jsonObjectIn(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    const value = parseJsonStrict(text, {
      maxDepth: CCSF_LIMITS.depth,
      maxBytes: DISCLOSURE_BYTES,
    });
    return isPlainObject(value) ? value : null;
  } catch (error) {
    // A TypeError: the bytes are not UTF-8.
    if (error instanceof ProtocolError || error instanceof TypeError) return null;
    throw error;
  }
}

/** The payload in an object of a body; null when it has another form. */
export function disclosurePayloadIn(
  object: Readonly<Record<string, unknown>>,
): DisclosurePayload | null {
  const { requestId, fromAgent, fromTokenId, disclosures, expiresAt, ...rest } = object;
  const isTime = typeof expiresAt === "string" && !Number.isNaN(Date.parse(expiresAt));
  if (
    typeof requestId !== "string" ||
    typeof fromAgent !== "string" ||
    typeof fromTokenId !== "number" ||
    !Number.isSafeInteger(fromTokenId) ||
    fromTokenId < 0 ||
    !Array.isArray(disclosures) ||
    !(expiresAt === null || isTime) ||
    Object.keys(rest).length > 0
  ) {
    return null;
  }
  const fields = disclosures.map(disclosedFieldIn);
  if (fields.length === 0 || fields.includes(null)) return null;
  const known = fields as DisclosedField[];
  if (new Set(known.map(({ field }) => field)).size < known.length) return null;
  return { requestId, fromAgent, fromTokenId, disclosures: known, expiresAt };
}

/** A disclosed field in untrusted JSON; null when it has another form. */
export function disclosedFieldIn(input: unknown): DisclosedField | null {
  if (!isPlainObject(input)) return null;
  const { field, value, merkleProof, merkleRoot } = input;
  if (!isField(field) || value === undefined || !isHash(merkleRoot)) return null;
  if (!Array.isArray(merkleProof) || !merkleProof.every(isHash)) return null;
  return { field, value, merkleProof, merkleRoot };
}
