import { z } from "@hono/zod-openapi";
import { encodeAbiParameters, type Hex } from "viem";

const UINT256 = /^(?:0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$/;

/**
 * An unsigned integer of 256 bits as libraries write it: hex with 0x, decimal digits, or a JSON integer. A large JSON integer
 * arrives here as its digits, where the operation's rules say so.
 */
const Uint256Schema = z
  .union([z.string(), z.int().min(0).transform(String)])
  .transform((text, context): bigint => {
    const value = UINT256.test(text) ? BigInt(text) : null;
    if (value !== null && value < 1n << 256n) return value;
    context.addIssue({ code: "custom", message: "Not an unsigned 256-bit integer" });
    return z.NEVER;
  })
  .openapi({
    type: "string",
    description: "Decimal digits, hex with 0x, or a JSON integer of any size.",
  });

type EightNumbers = [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];

/** As the adapter WorldIdVerifier takes it: 320 bytes. */
const ENCODING = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256[8]" }] as const;

/** A proof of personhood. Becomes what the verifier's contract takes. */
export const WorldIdProofSchema = z
  .strictObject({
    merkle_root: Uint256Schema,
    nullifier_hash: Uint256Schema,
    proof: z.array(Uint256Schema).length(8),
  })
  .transform(
    ({ merkle_root, nullifier_hash, proof }): Hex =>
      encodeAbiParameters(ENCODING, [merkle_root, nullifier_hash, proof as EightNumbers]),
  )
  .openapi("WorldIdProof", {
    description:
      "World ID 3.0, orb. Its action and signal are those of the registration: see docs/registration.md.",
  });
