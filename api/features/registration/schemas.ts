import { z } from "@hono/zod-openapi";
import type { AgentTypeIndex, Field } from "../../../protocol/index.ts";
import { AGENT_TYPES, FIELDS, isValidName, parseAgentType } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import {
  AddressSchema,
  AgentIdSchema,
  AmountSchema,
  Hex32Schema,
  SignatureSchema,
} from "../../platform/http/schemas.ts";
import { DeclaredDocumentsSchema } from "../documents/index.ts";
import type { RegistrationInput } from "./content.ts";
import { allLeaves, committedType, unlistableServices } from "./content.ts";
import { WorldIdProofSchema } from "./human-proof.schemas.ts";

const text = (max: number) => z.string().max(max);
const httpUrl = z.url({ protocol: /^https?$/ }).max(2048);

export const CATEGORIES = [
  "technology",
  "commerce",
  "knowledge",
  "wellness",
  "creation",
  "communication",
  "entertainment",
  "relationship",
  "other",
] as const;

const CONTACT_TYPES = ["website", "x", "github", "discord", "did", "a2a", "mcp", "neural"] as const;

const MONETIZATIONS = ["none", "ads", "sponsored", "subscription", "x402", "other"] as const;

/** Name of a service in an agent's registration file. */
export const ServiceNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,32}$/, "Use 1 to 32 letters, digits, _, . or -");
const tooManyEndpoints = [
  (endpoints: object) => Object.keys(endpoints).length <= 20,
  "More than 20 entries",
] as const;

/** Endpoints that an owner edits at a claim, by name; null removes one. */
export const EditedEndpointsSchema = z
  .record(ServiceNameSchema, httpUrl.nullable())
  .refine(...tooManyEndpoints);

/** What an agent declares of itself at registration. Nothing here is verified. */
export const PublicIdentitySchema = z
  .strictObject({
    bio: text(500),
    category: z.enum(CATEGORIES),
    tags: z
      .array(
        text(64)
          .min(1)
          .refine((tag) => tag === tag.toLowerCase(), "Not lowercase"),
      )
      .max(20),
    modelFamily: text(64),
    contacts: z
      .array(z.strictObject({ type: z.enum(CONTACT_TYPES), value: text(256).min(1) }))
      .max(20),
    monetization: z.enum(MONETIZATIONS),
    model: text(100),
    modelProvider: text(100),
    serviceEndpoints: z.record(ServiceNameSchema, httpUrl).refine(...tooManyEndpoints),
    x402Support: z.boolean(),
    tagline: text(200),
    description: text(2000),
    image: z.url({ protocol: /^(https?|ar|ipfs)$/ }).max(2048),
    website: httpUrl,
    displayName: text(100).min(1),
  })
  .partial()
  .openapi("PublicIdentity");

/** The same in a request: every endpoint must have its place in the registration file. */
export const NewIdentitySchema = PublicIdentitySchema.superRefine((identity, context) => {
  for (const [name, message] of unlistableServices(identity)) {
    context.addIssue({ code: "custom", path: ["serviceEndpoints", name], message });
  }
});

/** An agent's type, by name, by number or by one of the accepted labels. */
export const AgentTypeSchema = z
  .union([z.string(), z.int()])
  .transform((input, context) => {
    try {
      return parseAgentType(input);
    } catch {
      context.addIssue({
        code: "custom",
        message: `One of ${AGENT_TYPES.join(", ")}, 0 to 4, or personal, customer, coding, research`,
      });
      return z.NEVER;
    }
  })
  .openapi({
    type: ["string", "integer"],
    description: `Kind of agent: ${AGENT_TYPES.map((type) => `\`${type}\``).join(", ")}, or its number from 0 to 4. The labels \`personal\`, \`customer\`, \`coding\` and \`research\` are accepted too.`,
    example: "assistant",
  });

/** A name for a new agent. Reserved names are refused. */
export const NewNameSchema = z
  .string()
  .refine(isValidName, {
    message:
      "3 to 32 lowercase letters, digits and hyphens, neither beginning nor ending with a hyphen, no two hyphens as third and fourth character, not all digits, not reserved",
    params: { errorType: "INVALID_NAME" },
  })
  .openapi({ type: "string", minLength: 3, maxLength: 32, example: "aurora" });

const FieldLeafSchema = z.strictObject({
  index: z.int().min(0).max(11),
  field: z.enum(FIELDS),
  hash: Hex32Schema,
});

export const MerkleLeavesSchema = z
  .array(FieldLeafSchema)
  .min(FIELDS.length - 1)
  .max(FIELDS.length)
  .refine(
    (leaves) => leaves.every(({ index, field }, i) => index === i && field === FIELDS[i]),
    "Not the twelve fields in index order",
  )
  .openapi({
    description:
      "The leaves in index order: all twelve, or the first eleven, as `POST /v1/tools/normalise` returns them. The leaf of `soul.documents` is then computed from `soulDocuments`.",
  });

export const PublicFieldsSchema = z
  .record(z.string(), z.json())
  .superRefine((fields, context) => {
    for (const field of Object.keys(fields)) {
      if (!(FIELDS as readonly string[]).includes(field)) {
        context.addIssue({ code: "custom", path: [field], message: "Not a field of the soul" });
      }
    }
  })
  .openapi({
    type: "object",
    description: "Values to publish, by field; each must match its leaf.",
  });

/** The content of a registration. `POST /v1/typed-data/register` takes exactly this. */
export const RegistrationSchema = z
  .strictObject({
    agentName: NewNameSchema,
    agentType: AgentTypeSchema.optional(),
    erc8004AgentId: AgentIdSchema.nullish().openapi({
      type: "integer",
      description:
        "The passport to bind: the signer's own, with the passport writer approved on it. 0 is a passport. Absent or null: a new one is registered.",
    }),
    soulHash: Hex32Schema,
    soulSalt: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    merkleLeaves: MerkleLeavesSchema,
    publicFields: PublicFieldsSchema.optional(),
    publicIdentity: NewIdentitySchema.optional(),
    soulDocuments: DeclaredDocumentsSchema.optional().openapi({
      description:
        "Checked against the leaf `soul.documents`; the contents are uploaded afterwards.",
    }),
    sourceFormat: text(64).optional(),
    sourceHash: Hex32Schema.optional().openapi({
      description: "Checked for form only, and never kept: it is not salted.",
    }),
    ownerAddress: AddressSchema,
    operatorAddress: AddressSchema.optional(),
    parentTokenId: AgentIdSchema.optional().openapi({
      type: "integer",
      description: "0 or absent: none.",
    }),
    organizationId: AgentIdSchema.optional().openapi({
      type: "integer",
      description: "0 or absent: independent.",
    }),
    fleetId: AgentIdSchema.optional().openapi({
      type: "integer",
      deprecated: true,
      description: "Former name of `organizationId`.",
    }),
    worldIdProof: WorldIdProofSchema.optional(),
  })
  .openapi("Registration");

/** A uint256 in typed data: a decimal string, or an integer small enough for JSON. */
export const UintSchema = z
  .union([AmountSchema, AgentIdSchema])
  .openapi({ type: "string", pattern: "^(0|[1-9][0-9]*)$" });

/** The signed message, as `POST /v1/typed-data/register` returned it. */
export const RegistrationMessageSchema = z
  .strictObject({
    name: z.string(),
    agentType: z
      .int()
      .min(0)
      .max(4)
      .transform((index) => index as AgentTypeIndex),
    owner: AddressSchema,
    operator: AddressSchema,
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    contentHash: Hex32Schema,
    bindPassport: z.boolean(),
    passportId: UintSchema,
    agentURI: z.string().max(2048),
    parentTokenId: UintSchema,
    organizationId: UintSchema,
    seal: z.boolean(),
    humanVerifier: AddressSchema,
    humanProofHash: Hex32Schema,
    nonce: UintSchema,
    deadline: UintSchema,
  })
  .openapi("RegistrationMessage");

/** The consent of an organization's admin, when the owner is another account. */
const AdminSignatureSchema = z
  .strictObject({
    message: z.strictObject({
      registrationDigest: Hex32Schema,
      organizationId: UintSchema,
      nonce: UintSchema,
      deadline: UintSchema,
    }),
    signature: SignatureSchema,
  })
  .openapi("AdminSignature", {
    description:
      "EIP-712 type `Admit` of the organization registry, over the digest of the signed registration.",
  });

/** The body of `POST /v1/register`. */
export const SignedRegistrationSchema = z
  .strictObject({
    ...RegistrationSchema.shape,
    message: RegistrationMessageSchema,
    signature: SignatureSchema,
    signer: AddressSchema,
    adminSignature: AdminSignatureSchema.optional(),
  })
  .openapi("SignedRegistration");

function organizationOf({
  organizationId,
  fleetId,
}: Pick<z.output<typeof RegistrationSchema>, "organizationId" | "fleetId">): bigint {
  if (organizationId !== undefined && fleetId !== undefined && organizationId !== fleetId) {
    const message = `organizationId says ${organizationId}`;
    throw badRequest("fleetId", message);
  }
  return organizationId ?? fleetId ?? 0n;
}

/** A validated body as the registration service takes it. A type that it leaves out is read from its leaf. */
export function toRegistrationInput(body: z.output<typeof RegistrationSchema>): RegistrationInput {
  const merkleLeaves = allLeaves(body);
  return {
    agentName: body.agentName,
    agentType: body.agentType ?? committedType({ ...body, merkleLeaves }) ?? 0,
    soulHash: body.soulHash,
    soulSalt: body.soulSalt,
    soulMerkleRoot: body.soulMerkleRoot,
    merkleLeaves,
    publicFields: (body.publicFields ?? {}) as Partial<Record<Field, unknown>>,
    publicIdentity: body.publicIdentity ?? {},
    birthBundle: null,
    sourceFormat: body.sourceFormat ?? null,
    ownerAddress: body.ownerAddress,
    operatorAddress: body.operatorAddress ?? null,
    parentTokenId: body.parentTokenId ?? 0n,
    organizationId: organizationOf(body),
    seal: true,
    humanProof: body.worldIdProof ?? null,
    soulDocuments: body.soulDocuments ?? null,
    passportId: body.erc8004AgentId ?? null,
  };
}
