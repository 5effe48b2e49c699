import { z } from "@hono/zod-openapi";
import { OFF_CHAIN_TYPES } from "../../../protocol/index.ts";
import { messageShape } from "../../operations/schemas.ts";
import { AddressSchema, TimestampSchema } from "../../platform/http/schemas.ts";
import { type DeletionMessage, type ExportMessage, SALT_CHOICES } from "./private-data.ts";

const account = AddressSchema.openapi({
  description: "Whose data it is. It need not own a passport any more.",
});
const salts = z.enum(SALT_CHOICES).openapi({
  description:
    "Whether the salts of the account's souls are deleted too. Without them this service can prove no field of these souls again. Export them first.",
});

export const PrepareExportBody = z
  .strictObject({ accountAddress: account })
  .openapi("PrivateDataExportRequest");

export const ExportBody = z
  .strictObject({
    accountAddress: account,
    ...messageShape<ExportMessage>("ExportPrivateData", OFF_CHAIN_TYPES.ExportPrivateData),
  })
  .openapi("SignedPrivateDataExport");

export const PrepareDeletionBody = z
  .strictObject({ accountAddress: account, salts })
  .openapi("PrivateDataDeletionRequest");

export const DeletionBody = z
  .strictObject({
    accountAddress: account,
    salts,
    ...messageShape<DeletionMessage>("DeletePrivateData", OFF_CHAIN_TYPES.DeletePrivateData),
  })
  .openapi("SignedPrivateDataDeletion");

const ofAccount = AddressSchema.openapi({ description: "The account that signed." });
const published = z
  .string()
  .openapi({ description: "What no service can delete: it is on chain and on permanent storage." });

export const ExportAnswer = z
  .object({
    accountAddress: ofAccount,
    exportedAt: TimestampSchema.openapi({ description: "When the rows were read." }),
    data: z.array(
      z
        .object({
          name: z.string().openapi({ description: "What kind of rows these are." }),
          description: z.string().openapi({ description: "What these rows are." }),
          deletion: z.enum(["deleted", "cleared", "with-salts", "kept"]).openapi({
            description:
              "What a deletion does with these rows. `cleared`: they stay without their private values. `with-salts`: deleted only when it names the salts.",
          }),
          why: z.string().nullable().openapi({
            description: "Why rows stay, or what is cleared. Null for `deleted`.",
          }),
          rows: z.array(z.record(z.string(), z.unknown())).openapi({
            description: "The newest first. Names of columns in camel case, times in ISO 8601.",
          }),
          complete: z.boolean().openapi({
            description: "False when there are more than 10,000 rows: the oldest are left out.",
          }),
        })
        .openapi("PrivateDataRows"),
    ),
    published,
  })
  .openapi("PrivateData");

export const DeletionAnswer = z
  .object({
    accountAddress: ofAccount,
    deletedAt: TimestampSchema.openapi({
      description: "When the signature was accepted: what came later is not deleted.",
    }),
    deleted: z.array(z.string()).openapi({
      description: "The kinds of rows of an export of which nothing is left.",
    }),
    kept: z
      .array(
        z.object({
          name: z.string().openapi({ description: "The kind of rows." }),
          why: z.string().openapi({ description: "Why they stay." }),
        }),
      )
      .openapi({ description: "The kinds of rows that stay, whole or in part, each with why." }),
    published,
  })
  .openapi("PrivateDataDeleted");
