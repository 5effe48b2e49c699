import { z } from "@hono/zod-openapi";
import { AddressSchema, TimestampSchema } from "../../platform/http/schemas.ts";
import { SALT_CHOICES } from "./private-data.ts";

/** Members of the bodies. */
export const ACCOUNT = AddressSchema.openapi({
  description: "Whose data it is. It need not own a passport any more.",
});
export const SALTS = z.enum(SALT_CHOICES).openapi({
  description:
    "Whether the salts of the account's souls are deleted too. Without them this service can prove no field of these souls again. Export them first.",
});

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
