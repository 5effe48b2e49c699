import { z } from "@hono/zod-openapi";
import {
  AddressSchema,
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { HUMAN_PROOF_SHAPE } from "../life/index.ts";
import { METADATA_UPDATES, OwnerTransactionSchema } from "../passports/index.ts";
import { MerkleLeavesSchema, PublicFieldsSchema } from "../registration/index.ts";
import type { EndedGrants } from "./ended-grants.ts";

const StorageId = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "Not an id of permanent storage");

/** What a passport's owner says of the new soul. */
export const resealShape = {
  newSoulHash: Hex32Schema,
  newSoulSalt: Hex32Schema.openapi({ description: "Kept encrypted, never published." }),
  newSoulMerkleRoot: Hex32Schema,
  merkleLeaves: MerkleLeavesSchema,
  publicFields: PublicFieldsSchema.optional(),
  operatorAddress: AddressSchema.optional().openapi({
    description: "The agent's own account from now on. Absent: its owner acts for it.",
  }),
  newArweaveTxId: StorageId.optional().openapi({
    description: "An archive of the new soul. Absent: the service makes and stores one.",
  }),
  ...HUMAN_PROOF_SHAPE,
};

/** Errors of a decision on a soul whose passport is with the account that sealed it. */
export const NOT_SUSPENDED = ["ALREADY_SEALED", "FORBIDDEN"] as const;

const Ended = z
  .object({
    epoch: IdAnswer.openapi({ description: "The seal epoch that ended." }),
    apiKeys: z.int().min(0),
    webhooks: z.int().min(0),
    operator: z.string().nullable().openapi({ description: "Null: its owner acted for it." }),
    allowance: z
      .boolean()
      .openapi({ description: "Whether the agent could spend from its owner's wallet." }),
    organizationId: IdAnswer.nullable(),
    bindings: z.object({ outbound: z.int().min(0), inbound: z.int().min(0) }),
    agentKeys: z.boolean().openapi({ description: "Whether public keys were set." }),
    didAddresses: z
      .boolean()
      .openapi({ description: "Whether addresses were listed in the DID document." }),
  })
  .openapi("EndedGrants", {
    description: "What was granted before, as last indexed when this was signed. All of it ended.",
  });

/** A copy that may be changed: answers are built from plain objects. */
export function endedBody(ended: EndedGrants) {
  return { ...ended, bindings: { ...ended.bindings } };
}

/** The answer of `POST /v1/reseal/{tokenId}`. */
export const ResealedSchema = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    epoch: IdAnswer.openapi({ description: "The seal epoch that began." }),
    newSealedBy: z.string(),
    newSoulHash: Hex32Schema,
    newArweaveTxId: z.string(),
    resealTxHash: Hex32Schema,
    previousSoulArweave: z.string().nullable().openapi({
      description: "The archive of the soul before, which stays; null when none is known.",
    }),
    valid: z.boolean(),
    message: z.string(),
    apiKey: z.string().nullable().openapi({
      description: "Shown once, and again only to the same Idempotency-Key; null to any other.",
    }),
    ended: Ended,
    agentURI: z.string().openapi({ description: "Of the registration file that was signed." }),
    needsAgentUriUpdate: z.boolean().openapi({
      description: "True when the passport points at another file: `agentUriTransaction` is left.",
    }),
    agentUriTransaction: OwnerTransactionSchema.nullable(),
    ...METADATA_UPDATES,
  })
  .openapi("ResealedAgent");

const Note = z.string().openapi({ description: "What remains." });

/** The answer of `POST /v1/release/{tokenId}`. */
export const ReleasedSchema = z
  .object({
    tokenId: IdAnswer,
    erc8004AgentId: IdAnswer.openapi({ description: "The passport, which is free again." }),
    agentName: z.string(),
    status: z.literal("BURNED"),
    releasedBy: z.string(),
    releaseTxHash: Hex32Schema,
    arweaveArchive: z.string().nullable(),
    releasedAt: TimestampSchema,
    ended: Ended,
    note: Note,
  })
  .openapi("ReleasedAgent");

/** The answer of `POST /v1/burn/{tokenId}`. */
export const BurnedSchema = z
  .object({
    tokenId: IdAnswer,
    erc8004AgentId: IdAnswer.openapi({ description: "The passport, which is free again." }),
    agentName: z.string(),
    status: z.literal("BURNED"),
    burnTxHash: Hex32Schema,
    arweaveArchive: z.string().nullable().openapi({
      description: "The soul's last archive, which stays; null when none is known.",
    }),
    burnedAt: TimestampSchema,
    ended: Ended,
    inactiveAgentURI: z.string().nullable().openapi({
      description:
        "The stored registration file that says `active: false`; null when the present one could not be read.",
    }),
    agentUriTransaction: OwnerTransactionSchema.nullable().openapi({
      description:
        "Points the passport at that file. Only its owner may: nothing writes to a passport without a soul.",
    }),
    note: Note,
  })
  .openapi("BurnedAgent");
