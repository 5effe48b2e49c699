import { z } from "@hono/zod-openapi";
import {
  DISCLOSURE_CONDITIONS,
  DISCLOSURE_EXPIRIES,
  DISCLOSURE_MODES,
  FIELDS,
  LEGACY_CONDITIONS,
  MIN_TRUST_LEVELS,
  POLICY_LIMITS,
} from "../../../protocol/index.ts";
import { agentWrite } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";

/** Rules of what takes or answers disclosed values, of which nothing is stored. */
export const withValues = { ...agentWrite, idempotent: false, holdsValues: true } as const;

export const FieldSchema = z.enum(FIELDS).openapi({ example: "soul.purpose" });

export const ExpirySchema = z.enum(DISCLOSURE_EXPIRIES).openapi({ example: "30d" });

const Document = z.strictObject({
  id: z.string(),
  contentHash: z.string(),
  immutable: z.boolean(),
});

/** A field's value, exactly as in the normalised soul. */
export const ValueSchema = z
  .union([z.string(), z.array(z.string()), z.array(Document)], { error: "Not a field's value" })
  .openapi({
    description: "Exactly as in the normalised soul: a text, a list of texts, or the documents.",
    example: "Counts herons.",
  });

/** A field's value in an answer. */
export type FieldValueJson = z.output<typeof ValueSchema>;

/** Fields with the values that their owner says they have. */
export const StatedFieldsSchema = z
  .array(z.strictObject({ field: FieldSchema, value: ValueSchema }))
  .max(FIELDS.length);

/** A proof, as answers hold them and verification takes them. */
export const MerkleProofSchema = z
  .array(Hex32Schema)
  .max(32)
  .openapi({ description: "The leaf's blinding, then its siblings from the leaf upward." });

const Rule = z.strictObject({
  fields: z.array(FieldSchema).min(1).max(FIELDS.length),
  condition: z
    .enum([...DISCLOSURE_CONDITIONS, ...(Object.keys(LEGACY_CONDITIONS) as ["fleet_members"])])
    .openapi({ description: "`fleet_members` is the former name of `organization_members`." }),
  minTrustLevel: z
    .enum(MIN_TRUST_LEVELS)
    .optional()
    .openapi({ description: "Of `bound_agents`. Default: `limited`." }),
  allowedDids: z
    .array(z.string().max(128))
    .max(POLICY_LIMITS.allowedDids)
    .optional()
    .openapi({ description: "Of `specific_agents`." }),
  mode: z
    .enum(DISCLOSURE_MODES)
    .optional()
    .openapi({ description: "How values are sent. Default: `preferredMode`." }),
  note: z.string().max(POLICY_LIMITS.note).optional(),
});

/** The body of `POST /v1/disclose/policy`. */
export const SetPolicySchema = z
  .strictObject({
    tokenId: TokenIdSchema,
    policy: z.strictObject({
      name: z.string().min(1).max(POLICY_LIMITS.name),
      preferredMode: z.enum(DISCLOSURE_MODES).default("either"),
      rules: z.array(Rule).max(POLICY_LIMITS.rules).openapi({
        description: "The first rule that names a field decides.",
      }),
      defaultExpiry: ExpirySchema.optional(),
    }),
  })
  .openapi("NewDisclosurePolicy");

/** The answer of `POST /v1/disclose/policy`. */
export const SetPolicyAnswer = z
  .object({
    policyId: z.uuid(),
    ...AgentIdsAnswer,
    policyName: z.string(),
    rulesCount: z.int().min(0),
    createdAt: TimestampSchema,
  })
  .openapi("CreatedDisclosurePolicy");

export const PolicyAnswer = z
  .object({
    policyId: z.uuid(),
    name: z.string(),
    preferredMode: z.enum(DISCLOSURE_MODES),
    defaultExpiry: ExpirySchema,
    rules: z.array(
      z.object({
        fields: z.array(FieldSchema),
        condition: z.enum(DISCLOSURE_CONDITIONS),
        minTrustLevel: z.enum(MIN_TRUST_LEVELS).optional(),
        allowedDids: z.array(z.string()).optional(),
        mode: z.enum(DISCLOSURE_MODES).optional(),
        note: z.string().optional(),
      }),
    ),
    active: z.boolean(),
    createdAt: TimestampSchema,
    endedAt: TimestampSchema.nullable().openapi({
      description: "When it was replaced or deactivated; null while it is active.",
    }),
  })
  .openapi("DisclosurePolicy");

/** A field as its receiver can check it. */
export const ProvenFieldSchema = z.object({
  field: FieldSchema,
  value: ValueSchema,
  merkleProof: MerkleProofSchema,
});
