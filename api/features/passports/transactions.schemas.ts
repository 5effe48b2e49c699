import { z } from "@hono/zod-openapi";

/** A transaction for the passport's owner to sign. */
export const UnsignedTransactionSchema = z
  .object({ chainId: z.int(), to: z.string(), data: z.string(), value: z.literal("0") })
  .openapi("UnsignedTransaction");

const PendingMetadataSchema = z
  .object({
    key: z.string(),
    value: z.string(),
    transaction: UnsignedTransactionSchema.openapi({
      description:
        "`sync` of the passport writer, which any account may send: it writes all entries at once.",
    }),
  })
  .openapi("PendingMetadata");

/** Metadata that a registration left out, with what writes it. */
export const LEFT_METADATA = {
  pendingMetadata: z.array(PendingMetadataSchema).readonly().openapi({
    description:
      "Metadata that could not be written, because the passport writer was not approved on the passport any more.",
  }),
  approvalTransaction: UnsignedTransactionSchema.nullable().openapi({
    description:
      "The owner sends it before: it lets the passport writer write to the passport. Null when nothing is pending.",
  }),
};
