import { z } from "@hono/zod-openapi";
import { IdAnswer, idNumber, TimestampSchema } from "../../platform/http/schemas.ts";
import type { OriginalSoul } from "../../soul/index-reads.ts";

/** `duplicateOf` of a profile and of a verification. */
export const DuplicateOfSchema = z
  .object({
    tokenId: IdAnswer,
    agentName: z.string(),
    genesisStatus: z.enum(["SEALED", "PROVISIONAL", "BURNED"]),
    sealedAt: TimestampSchema.openapi({ description: "When it had the hash or root first." }),
  })
  .nullable()
  .openapi({
    description:
      "The soul that sealed this soul hash or Merkle root first, also when it is burned by now. Null when no other soul did. A soul with a `duplicateOf` may be a copy: its owner may never have known the private text.",
  });

export function duplicateOfBody(original: OriginalSoul | null): z.output<typeof DuplicateOfSchema> {
  if (original === null) return null;
  return {
    tokenId: idNumber(original.tokenId),
    agentName: original.agentName,
    genesisStatus: original.genesisStatus,
    sealedAt: original.sealedAt.toISOString(),
  };
}
