import { z } from "@hono/zod-openapi";

/** A transaction for the passport's owner to sign. */
export const UnsignedTransactionSchema = z
  .object({ chainId: z.int(), to: z.string(), data: z.string(), value: z.literal("0") })
  .openapi("UnsignedTransaction");

/** Metadata that only the passport's owner may write, with the transaction that does. */
export const PendingMetadataSchema = z
  .object({ key: z.string(), value: z.string(), transaction: UnsignedTransactionSchema })
  .openapi("PendingMetadata");
