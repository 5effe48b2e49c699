import { z } from "@hono/zod-openapi";
import { AgentIdsAnswer, Hex32Schema, IdAnswer } from "../../platform/http/schemas.ts";
import type { FileEdit } from "./file-edit.ts";

/** One line without control characters. */
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "Holds control characters");

const ServiceSchema = z.strictObject({
  name: line(64).openapi({ example: "MCP" }),
  endpoint: line(2048).openapi({ example: "https://agent.example/mcp" }),
  version: line(64).optional(),
});

/** What an owner may change in its registration file. */
export const FILE_EDITS = {
  services: z.array(ServiceSchema).max(50).optional().openapi({
    description:
      "Each replaces the entry of the same name (case ignored), or is appended. `Svc`, `Svc-API` and `DID` are written by the service.",
  }),
  removeServices: z.array(z.string().min(1).max(256)).max(50).optional().openapi({
    description: "Names of entries to take away.",
  }),
  x402Support: z.boolean().optional(),
};

/** The same in a file that the owner points the passport at by itself. */
export const AGENT_URI_EDITS = {
  ...FILE_EDITS,
  description: z.string().max(2000).optional(),
  imageUrl: z
    .url({ protocol: /^(https?|ar|ipfs)$/ })
    .max(2048)
    .optional(),
};

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

/** A transaction that is left to the owner. */
export const OwnerTransactionSchema = z
  .object({
    chainId: z.int(),
    to: z.string(),
    functionName: z.string(),
    args: z
      .array(z.union([z.string(), z.array(z.string()).readonly()]))
      .readonly()
      .openapi({ description: "Integers as decimal strings." }),
    data: z.string(),
    value: z.literal("0"),
    description: z.string(),
  })
  .openapi("OwnerTransaction");

/** Metadata of a passport that does not say what the soul is, with the transaction that writes it. */
const PendingPassportMetadataSchema = z
  .object({
    key: z.string(),
    value: z.string(),
    transaction: OwnerTransactionSchema.openapi({
      description:
        "`sync` of the passport writer, which any account may send, writes all entries at once. `setMetadata` of the identity registry is the owner's.",
    }),
  })
  .openapi("PendingPassportMetadata");

/** What of a passport's metadata does not follow its soul. */
export const METADATA_UPDATES = {
  pendingMetadata: z
    .array(PendingPassportMetadataSchema)
    .openapi({ description: "Metadata of the passport that does not say what the soul is now." }),
  approvalTransaction: OwnerTransactionSchema.nullable().openapi({
    description:
      "The owner sends it before: it lets the passport writer write to the passport. Null when nothing needs it.",
  }),
};

/** The answer of `PUT /v1/registration-file/{tokenId}`. */
export const FileUpdatedSchema = z
  .object({
    agentId: IdAnswer,
    ...AgentIdsAnswer,
    agentURI: z.string().openapi({ description: "`ar://<id>`, as on chain." }),
    updatedFields: z.array(z.string()).openapi({
      description: "Members of the file that are others than before.",
    }),
    erc8004TxHash: Hex32Schema,
  })
  .openapi("RegistrationFileUpdated");

/** The answer of `POST /v1/agent-uri/update`. */
export const AgentUriUpdatedSchema = z
  .object({
    success: z.literal(true),
    erc8004AgentId: IdAnswer,
    newAgentUri: z.object({ url: z.string(), arUri: z.string(), txId: z.string() }),
    transaction: OwnerTransactionSchema,
    updated: z.object({
      x402Support: z.boolean(),
      services: z.boolean(),
      description: z.boolean(),
      imageUrl: z.boolean(),
    }),
  })
  .openapi("AgentUriUpdated");

/** What a body changes about a file. */
export function toFileEdit(body: Partial<z.output<z.ZodObject<typeof AGENT_URI_EDITS>>>): FileEdit {
  const { services = [], removeServices = [], x402Support, description, imageUrl } = body;
  return {
    services: services.map(({ name, endpoint, version }) => ({
      name,
      endpoint,
      ...(version === undefined ? {} : { version }),
    })),
    removeServices,
    x402Support,
    description,
    image: imageUrl,
  };
}
