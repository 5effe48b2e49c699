import { z } from "@hono/zod-openapi";
import type { Hex } from "viem";
import { AddressSchema, AgentIdsAnswer, Hex32Schema } from "../../platform/http/schemas.ts";
import { METADATA_UPDATES, OwnerTransactionSchema } from "../passports/index.ts";
import { WorldIdProofSchema } from "../registration/index.ts";

/** Most bytes of a proof: adapters take a few hundred. */
const MAX_PROOF = 16_384;

/** That the owner is a person, in one of two forms. */
export const HUMAN_PROOF_SHAPE = {
  humanProof: z
    .strictObject({
      verifier: AddressSchema,
      data: z
        .string()
        .max(2 + 2 * MAX_PROOF)
        .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "Not whole bytes in hex with 0x")
        .transform((text) => text.toLowerCase() as Hex)
        .openapi({ type: "string", pattern: "^0x([0-9a-fA-F]{2})*$" }),
    })
    .optional()
    .openapi({
      description:
        "That the owner is a person, for an adapter that the human verifier registry has approved, in the adapter's own encoding.",
    }),
  worldIdProof: WorldIdProofSchema.optional(),
};

/** The answer of `POST /v1/seal`. */
export const SealedSchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    did: z.string(),
    genesisStatus: z.literal("SEALED"),
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    contentHash: Hex32Schema,
    arweaveTxId: z.string(),
    sealTxHash: Hex32Schema,
    humanVerified: z.boolean(),
    agentURI: z.string().openapi({ description: "Of the registration file that was signed." }),
    needsAgentUriUpdate: z.boolean().openapi({
      description: "True when the passport points at another file: `agentUriTransaction` is left.",
    }),
    agentUriTransaction: OwnerTransactionSchema.nullable(),
    ...METADATA_UPDATES,
  })
  .openapi("SealedAgent");
