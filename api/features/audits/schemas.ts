import { z } from "@hono/zod-openapi";
import {
  Hex32Schema,
  IdAnswer,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { FieldSchema, MerkleProofSchema, ProvenFieldSchema } from "../disclosure/index.ts";
import { ORGANIZATION_ID } from "../organizations/index.ts";
import { AUDIT_PACKAGE, UNVERIFIED_REASONS } from "./records.ts";

const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

const text = (maxLength: number, description: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(VISIBLE, "Has control characters")
    .openapi({ description });

const terms = {
  regulatoryBody: text(200, "The regulator's name."),
  regulatoryDid: z
    .string()
    .max(256)
    .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, "Not a DID")
    .openapi({ description: "The regulator's DID.", example: "did:web:regulator.example" }),
  scope: text(200, "What is audited, in the regulator's words.").openapi({ example: "full_soul" }),
  auditReference: text(128, "The regulator's own reference."),
};

export const REGULATORY_AUDIT_BODY = { tokenId: TokenIdSchema, ...terms };

export const ORGANIZATION_AUDIT_BODY = {
  organizationId: TokenIdSchema.optional(),
  fleetId: TokenIdSchema.optional().openapi({
    deprecated: true,
    description: "Former name of `organizationId`.",
  }),
  ...terms,
};

const uploadExpiresAt = TimestampSchema.openapi({ description: "Seven days after the request." });
const uploadUrl = z.string().openapi({ description: "Takes one upload that is verified." });

export const RequestedRegulatorySchema = z
  .object({
    auditId: z.uuid(),
    tokenId: IdAnswer,
    status: z.literal("awaiting_ccsf_upload"),
    uploadUrl,
    uploadExpiresAt,
    note: z.string(),
  })
  .openapi("RequestedRegulatoryAudit");

export const RequestedOrganizationSchema = z
  .object({
    orgAuditId: z.uuid(),
    ...ORGANIZATION_ID,
    agentCount: z.int().min(1).openapi({ description: "Live members, which can be audited." }),
    status: z.literal("awaiting_ccsf_uploads"),
    batchUploadUrl: uploadUrl,
    uploadExpiresAt,
    note: z.string(),
  })
  .openapi("RequestedOrganizationAudit");

export const RegulatoryParams = z.object({ auditId: z.uuid() });
export const OrganizationAuditParams = z.object({ orgAuditId: z.uuid() });

const Verification = z
  .object({
    soulHashMatch: z.boolean(),
    merkleRootMatch: z.boolean(),
    arweaveArchiveMatch: z.boolean().openapi({
      description: "Whether the archive of the soul has the hashes that are on chain.",
    }),
    allChronicleRecordsValid: z.boolean().openapi({
      description: "Whether every anchored chronicle is proved against the chain.",
    }),
  })
  .openapi("AuditVerification");

const Chronicles = z
  .object({
    valid: z.int().min(0),
    invalid: z.int().min(0),
    pending: z.int().min(0).openapi({ description: "Not anchored yet." }),
  })
  .openapi("AuditedChronicles");

const PackagedAgent = z.object({
  tokenId: z.string(),
  epoch: z.int(),
  agentName: z.string(),
  soulHash: z.string(),
  soulMerkleRoot: z.string(),
  status: z.enum(["verified", "not_verified"]),
  reason: z.enum(UNVERIFIED_REASONS).nullable(),
  verification: Verification.nullable(),
  chronicles: Chronicles.nullable(),
  fields: z.array(z.object({ field: FieldSchema, merkleProof: MerkleProofSchema })).openapi({
    description: "Proofs of the fields that the agent's policy lets an audit have.",
  }),
});

const Package = z
  .object({
    format: z.literal(AUDIT_PACKAGE),
    auditId: z.uuid(),
    kind: z.enum(["regulatory", "organization"]),
    chainId: z.int(),
    soulRegistry: z.string(),
    soulView: z.string(),
    organizationId: z.string().nullable(),
    regulatoryBody: z.string(),
    regulatoryDid: z.string(),
    scope: z.string(),
    auditReference: z.string(),
    signedBy: z.string(),
    block: z.string(),
    issuedAt: TimestampSchema,
    expiresAt: TimestampSchema.nullable(),
    arweaveAuditTxId: z.string().nullable(),
    agents: z.array(PackagedAgent),
    document: z
      .object({
        format: z.string(),
        chainId: z.int(),
        soulView: z.string(),
        agentName: z.string(),
        tokenId: z.int(),
        disclosures: z.array(ProvenFieldSchema.extend({ merkleRoot: Hex32Schema })),
        issuedTo: z.string(),
        issuedAt: TimestampSchema,
        expiresAt: TimestampSchema.nullable(),
      })
      .nullable()
      .openapi({
        description:
          "The values, as a document that proves itself (docs/disclosure.md). Null for an organization, and when the agent's policy lets audits have no field.",
      }),
  })
  .openapi("AuditPackage", {
    description: "What the regulator's endpoint is sent, where one is registered.",
  });

const completed = {
  scope: z.string(),
  auditPackageDelivered: z.boolean().openapi({
    description: "Whether the regulator's registered endpoint took the package. It is tried once.",
  }),
  deliveredTo: z.string().nullable().openapi({
    description: "Origin of that endpoint; null when none took it.",
  }),
  signedBy: z.string(),
  block: IdAnswer.openapi({ description: "Everything was read from the chain at this block." }),
  issuedAt: TimestampSchema,
  expiresAt: TimestampSchema.nullable(),
  arweaveAuditTxId: z.string().nullable().openapi({
    description:
      "The audit's record on permanent storage: metadata and results. Null while storage does not answer: it is archived later.",
  }),
  ccsf_handling: z.string().openapi({ description: "What happened with the files." }),
  package: Package,
};

export const VerifiedRegulatorySchema = z
  .object({
    auditId: z.uuid(),
    tokenId: IdAnswer,
    agentName: z.string(),
    verification: Verification,
    chronicles: Chronicles,
    ...completed,
  })
  .openapi("VerifiedRegulatoryAudit");

export const VerifiedOrganizationSchema = z
  .object({
    orgAuditId: z.uuid(),
    ...ORGANIZATION_ID,
    agentCount: z.int().min(1),
    verifiedCount: z.int().min(1),
    results: z.array(
      z.object({
        tokenId: IdAnswer,
        agentName: z.string(),
        status: z.enum(["verified", "not_verified"]),
        reason: z.enum(UNVERIFIED_REASONS).nullable().openapi({
          description:
            "`file_missing`: the upload had no file of this agent. `salt_missing`: it had no salt, and the service's own serves only agents of the signer.",
        }),
        verification: Verification.nullable(),
        chronicles: Chronicles.nullable(),
      }),
    ),
    ...completed,
  })
  .openapi("VerifiedOrganizationAudit");
