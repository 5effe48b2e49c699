import { z } from "@hono/zod-openapi";
import type { Address, Hex } from "viem";
import { getAddress, isAddress } from "viem";
import { NAME_PATTERN } from "../../../protocol/names.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { byName, byPassport, byTokenId } from "../../soul/soul-ref.ts";

/** Ids are JSON integers; above this they would be rounded on the way, so they are refused. */
const MAX_ID = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * An address in any of the three usual spellings, checksummed on the way in. Mixed case must be a
 * correct EIP-55 checksum: a typo would otherwise send an agent to an account without an owner.
 */
export const AddressSchema = z
  .string()
  .transform((text, context): Address => {
    const spelled = /^0x[0-9A-F]{40}$/.test(text) ? text.toLowerCase() : text;
    if (isAddress(spelled, { strict: true })) return getAddress(spelled);
    context.addIssue({ code: "custom", message: "Not an address, or its checksum is wrong" });
    return z.NEVER;
  })
  .openapi({
    pattern: "^0x[0-9a-fA-F]{40}$",
    example: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  });

/** 32 bytes, lower-cased. */
export const Hex32Schema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "Not 32 bytes in hex with 0x")
  .transform((text) => text.toLowerCase() as Hex)
  .openapi({ pattern: "^0x[0-9a-fA-F]{64}$" });

/**
 * A wallet's signature: whole bytes, at least one. Contract wallets and wrapped signatures have no
 * fixed length, so the bound is only there to keep a signature check cheap.
 */
export const SignatureSchema = z
  .string()
  .max(16_386, "Longer than 8192 bytes")
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, "Not whole bytes in hex with 0x")
  .transform((text) => text.toLowerCase() as Hex)
  .openapi({ pattern: "^0x([0-9a-fA-F]{2})+$" });

/** ISO 8601 in UTC, as every timestamp in an answer. */
export const TimestampSchema = z.iso.datetime().openapi({ example: "2026-01-31T12:00:00.000Z" });

/** A passport's id in a body: 0 is a real passport. */
export const AgentIdSchema = z
  .int()
  .min(0)
  .transform(BigInt)
  .openapi({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A certificate's id in a body: they start at 1. */
export const TokenIdSchema = z
  .int()
  .min(1)
  .transform(BigInt)
  .openapi({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const decimalId = (minimum: bigint) =>
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,15})$/, "Not a decimal integer")
    .transform((text, context): bigint => {
      const id = BigInt(text);
      if (id >= minimum && id <= MAX_ID) return id;
      context.addIssue({ code: "custom", message: `Outside ${minimum} to ${MAX_ID}` });
      return z.NEVER;
    });

/** A passport's id in a path or query. */
export const AgentIdParam = decimalId(0n).openapi({ type: "integer", minimum: 0 });

/** A certificate's id in a path or query. */
export const TokenIdParam = decimalId(1n).openapi({ type: "integer", minimum: 1 });

/** An id in an answer; see `idNumber`. */
export const IdAnswer = z.int().min(0);

/** Both numbers of a registered agent in an answer; see `agentIds`. */
export const AgentIdsAnswer = { tokenId: IdAnswer, erc8004AgentId: IdAnswer };

/** A number that an agent has from its claim on. */
export const IdFromClaimAnswer = IdAnswer.nullable().openapi({ description: "Null before claim." });

const NOT_A_NAME = { message: "Not an agent name", params: { errorType: "INVALID_NAME" } };

/**
 * An agent's name in a path, lower-cased. This checks the spelling only: reserved names are refused
 * where names are given, and simply do not exist here.
 */
export const NameParam = z
  .string()
  .toLowerCase()
  .refine((name) => NAME_PATTERN.test(name), NOT_A_NAME)
  .openapi({ type: "string", minLength: 3, maxLength: 32, example: "aurora" });

/** A name, or digits, which no name consists of. */
const nameOrNumber = (number: typeof TokenIdParam, refOf: (id: bigint) => SoulRef, what: string) =>
  z.string().transform((text, context): SoulRef => {
    if (/^[0-9]+$/.test(text)) {
      const id = number.safeParse(text);
      if (id.success) return refOf(id.data);
      context.addIssue({ code: "custom", message: `Not a ${what} id` });
      return z.NEVER;
    }
    const name = text.toLowerCase();
    if (NAME_PATTERN.test(name)) return byName(name);
    context.addIssue({ code: "custom", ...NOT_A_NAME });
    return z.NEVER;
  });

/** Where a path takes a name or a token id. */
export const NameOrTokenIdParam = nameOrNumber(TokenIdParam, byTokenId, "token").openapi({
  type: "string",
  description: "The agent's name, or its token id.",
  example: "aurora",
});

/** What a person typed for an agent: digits are a passport's. */
export const TypedAgentSchema = nameOrNumber(AgentIdParam, byPassport, "passport");

/** An unsigned 256-bit amount as a decimal string, which is how amounts travel. */
export const AmountSchema = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,77})$/, "Not a decimal integer")
  .transform((text, context): bigint => {
    const amount = BigInt(text);
    if (amount < 1n << 256n) return amount;
    context.addIssue({ code: "custom", message: "Does not fit 256 bits" });
    return z.NEVER;
  })
  .openapi({ type: "string", pattern: "^(0|[1-9][0-9]*)$", example: "1500000" });

/**
 * An id for an answer.
 *
 * @throws RangeError above 2^53-1: a rounded id would name another agent.
 */
export function idNumber(id: bigint): number {
  if (id < 0n || id > MAX_ID) throw new RangeError(`Id ${id} cannot be sent as a JSON integer.`);
  return Number(id);
}

/** Both numbers of an agent for an answer: its certificate's and its passport's. */
export const agentIds = (agent: { readonly tokenId: bigint; readonly passportId: bigint }) => ({
  tokenId: idNumber(agent.tokenId),
  erc8004AgentId: idNumber(agent.passportId),
});

/** As {@link idNumber}, of an id that may be missing. */
export const idNumberOrNull = (id: bigint | null): number | null =>
  id === null ? null : idNumber(id);
