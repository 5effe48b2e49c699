import { z } from "@hono/zod-openapi";
import { AGENT_TYPES, FIELDS, isSameService, SOURCE_FORMATS } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import {
  AddressSchema,
  AgentIdSchema,
  Hex32Schema,
  IdAnswer,
  SignatureSchema,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import { LEFT_METADATA, UnsignedTransactionSchema } from "../passports/index.ts";
import type { PublicIdentity } from "../registration/index.ts";
import {
  AgentTypeSchema,
  AgentWalletSchema,
  EditedEndpointsSchema,
  NewIdentitySchema,
  NewNameSchema,
  PublicFieldsSchema,
  PublicIdentitySchema,
  ServiceNameSchema,
  UintSchema,
  unlistableServices,
  WorldIdProofSchema,
} from "../registration/index.ts";
import type { AgentRegistrationRequest } from "./agent-registration.ts";
import type { ClaimTerms } from "./claim/terms.ts";
import type { ClaimEdits } from "./edits.ts";

/**
 * The soul format's own limit is checked when the text is read. This limit only keeps hopeless
 * requests cheap.
 */
const PROMPT_LENGTH = 512 * 1024;
const DOCUMENT_LENGTH = 256 * 1024;

const imageUrl = z.url({ protocol: /^(https?|ar|ipfs)$/ }).max(2048);

/** As a passport's file lists it: the kind of service, and its endpoint. */
const ServiceSchema = z.strictObject({
  type: ServiceNameSchema,
  url: z.url({ protocol: /^https?$/ }).max(2048),
});

const BirthBundleSchema = z
  .strictObject({
    note: z.string().max(2000).optional(),
    creatorName: z.string().max(200).optional(),
    creatorImageUrl: imageUrl.optional(),
  })
  .openapi("BirthBundle");

const PersonalityDocumentSchema = z
  .strictObject({
    title: z.string().min(1).max(200),
    content: z.string().min(1).max(DOCUMENT_LENGTH),
    immutable: z.boolean().optional(),
  })
  .openapi("PersonalityDocument", { description: "Public from the claim on." });

const SourceFormatSchema = z
  .enum(SOURCE_FORMATS as [string, ...string[]])
  .openapi({ default: "plaintext" });

/** `POST /v1/register`, the agent's first step. */
export const ChallengeStepSchema = z
  .strictObject({ step: z.literal("challenge"), agentName: NewNameSchema })
  .openapi("AgentChallengeStep");

/** `POST /v1/register`, the agent's second step. */
export const RegisterStepSchema = z
  .strictObject({
    step: z.literal("register"),
    challengeId: z.uuid(),
    challengeAnswer: z.string().max(128),
    agentName: NewNameSchema,
    agentType: AgentTypeSchema,
    systemPrompt: z.string().min(1).max(PROMPT_LENGTH).openapi({
      description:
        "Hashed in memory and discarded. A name or type that it states must be `agentName` (or another writing of it) and `agentType`: otherwise 422 HASH_MISMATCH, whose `details.field` is `identity.name` or `identity.agent_type`.",
    }),
    sourceFormat: SourceFormatSchema.optional(),
    publicFields: z.array(z.enum(FIELDS)).max(FIELDS.length).optional().openapi({
      description: "Fields of the soul whose values are published with the claim.",
    }),
    publicIdentity: NewIdentitySchema.optional(),
    agentDescription: z.string().max(2000).optional().openapi({
      description: "Public; also the soul's `identity.description`.",
    }),
    agentAvatar: imageUrl.optional(),
    services: z.array(ServiceSchema).max(20).optional(),
    personalityDocument: PersonalityDocumentSchema.optional(),
    birthBundle: BirthBundleSchema.optional(),
    erc8004AgentId: AgentIdSchema.nullable().optional().openapi({
      type: "integer",
      description: "Absent or null: a new passport is registered with the claim.",
    }),
    erc8004ChainId: z.int().nullable().optional(),
  })
  .openapi("AgentRegisterStep");

export const ChallengeAnswerSchema = z
  .object({
    challengeId: z.string(),
    type: z.literal("sha256"),
    question: z.string(),
    nameAvailable: z.boolean().openapi({
      description: "True: the name is reserved for this challenge until `expiresAt`.",
    }),
    expiresAt: TimestampSchema,
  })
  .openapi("AgentChallenge");

export const AgentRegisteredSchema = z
  .object({
    registrationId: z.string(),
    agentName: z.string(),
    status: z.literal("pending_owner_claim"),
    profileUrl: z.string(),
    claimUrl: z.string().openapi({
      description: "For the owner alone: any holder sees the draft, and may claim.",
    }),
    apiKey: z.string().openapi({ description: "Provisional, shown once." }),
    soulHash: z.string().openapi({ description: "A placeholder text until the claim." }),
    message: z.string(),
    claimExpiresAt: TimestampSchema,
    provisionalLimits: z.object({
      note: z.string(),
      canRead: z.boolean(),
      canPost: z.boolean(),
      canDisclose: z.boolean(),
      canBind: z.boolean(),
    }),
  })
  .openapi("AgentRegistered");

const RegistrationIdSchema = z.string().min(1).max(128);

/** Every member of the schema also takes null. */
function nullable<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, schema.nullable()]);
  return Object.fromEntries(entries) as { [Key in keyof Shape]: z.ZodNullable<Shape[Key]> };
}

const EDIT_NOTE = "Changes only the members that it names; null removes a member.";

const EditedIdentitySchema = z
  .strictObject({
    ...nullable(PublicIdentitySchema.shape),
    serviceEndpoints: EditedEndpointsSchema.nullable().optional(),
  })
  .openapi("ClaimIdentityEdit", { description: EDIT_NOTE });

const EditedBirthBundleSchema = z
  .strictObject(nullable(BirthBundleSchema.shape))
  .openapi("ClaimBirthBundleEdit", { description: EDIT_NOTE });

const EditedDataSchema = z
  .strictObject({
    systemPrompt: z.string().min(1).max(PROMPT_LENGTH).openapi({
      description:
        "Replaces the agent's. Hashed in memory and discarded. A name or type that it states must be the agent's: otherwise 422 HASH_MISMATCH.",
    }),
    sourceFormat: SourceFormatSchema,
    ccsf: z.record(z.string(), z.json()).openapi({
      type: "object",
      description:
        "A whole soul instead of `systemPrompt`. Its name must be the agent's, or another writing of it: otherwise 422 HASH_MISMATCH.",
    }),
    agentType: AgentTypeSchema.openapi({ example: 2 }),
    displayName: z.string().min(1).max(100),
    agentDescription: z.string().max(2000),
    agentAvatarUrl: imageUrl,
    publicFields: PublicFieldsSchema,
    publicIdentity: EditedIdentitySchema,
    birthBundle: EditedBirthBundleSchema,
    parentTokenId: AgentIdSchema,
    worldIdProof: WorldIdProofSchema,
    x402Support: z.boolean(),
  })
  .partial()
  .openapi("ClaimEdits");

const AGENT_KEEPS =
  "Default true: within seven days after the claim the agent can exchange its provisional key for a full key of its own. False ends the provisional key with the claim.";

/** `POST /v1/typed-data/claim`. */
export const ClaimTermsSchema = z
  .strictObject({
    registrationId: RegistrationIdSchema,
    ownerAddress: AddressSchema,
    editedData: EditedDataSchema.optional(),
    seal: z.boolean().optional().openapi({
      description:
        "Default true. False mints, and leaves the soul to be sealed by another signature.",
    }),
    agentKeeps: z.boolean().optional().openapi({ description: AGENT_KEEPS }),
    agentKey: z.boolean().optional().openapi({ description: "The same as `agentKeeps`." }),
  })
  .openapi("ClaimTerms");

/** `POST /v1/register/claim`. */
export const ClaimSchema = z
  .strictObject({
    ...ClaimTermsSchema.shape,
    nonce: UintSchema,
    signature: SignatureSchema,
  })
  .openapi("Claim");

export const ClaimedSchema = z
  .object({
    success: z.literal(true),
    tokenId: IdAnswer,
    agentName: z.string(),
    did: z.string(),
    ownerAddress: z.string(),
    profileUrl: z.string(),
    txHash: Hex32Schema,
    arweaveTxId: z.string(),
    soulHash: Hex32Schema,
    soulMerkleRoot: Hex32Schema,
    genesisStatus: z.enum(["SEALED", "PROVISIONAL"]),
    message: z.string(),
    erc8004AgentId: IdAnswer,
    agentUriArweaveTxId: z.string().nullable().openapi({
      description:
        "The id of the passport's file on permanent storage; null when the passport points elsewhere.",
    }),
    newAgentUriUrl: z.string().openapi({
      description:
        "The file that names the agent's ids; of a passport that was bound, the one that its owner signed.",
    }),
    newAgentUriTxId: z.string(),
    needsAgentUriUpdate: z.boolean(),
    agentUriTransaction: UnsignedTransactionSchema.nullable().openapi({
      description: "The owner's transaction when `needsAgentUriUpdate`; null otherwise.",
    }),
    ...LEFT_METADATA,
    agentWallet: AgentWalletSchema.nullable().openapi({
      description:
        "How the owner sets the wallet that the agent is paid at; null for a passport that was bound, which keeps its own wallet.",
    }),
    soulSalt: Hex32Schema.openapi({
      description: "Shown once. Without it no field of the soul can ever be proven.",
    }),
    merkleLeaves: z.array(z.object({ index: z.int(), field: z.string(), hash: Hex32Schema })),
    apiKey: z.string().openapi({
      description: "Full key, shown once, and again only to the same Idempotency-Key.",
    }),
    agentKeeps: z.boolean().openapi({
      description:
        "Whether the agent has a key: its provisional key, which it may exchange for a full one, or that full key. False when the owner decided so, and when a rotation has ended the key.",
    }),
  })
  .openapi("Claimed");

export const ClaimDraftSchema = z
  .object({
    registrationId: z.string(),
    status: z.enum(["pending_owner_claim", "claimed"]),
    agentName: z.string(),
    profileUrl: z.string(),
    createdAt: TimestampSchema,
    claimExpiresAt: TimestampSchema,
    tokenId: IdAnswer.nullable(),
    ownerAddress: z.string().nullable(),
    draft: z
      .object({
        agentType: z.enum(AGENT_TYPES),
        sourceFormat: z.string(),
        agentDescription: z.string().nullable(),
        publicIdentity: PublicIdentitySchema,
        publicFields: z.record(z.string(), z.unknown()),
        birthBundle: z
          .object({ note: z.string(), creatorName: z.string(), creatorImageUrl: z.string() })
          .nullable(),
        personalityDocument: z
          .object({
            id: z.string(),
            title: z.string(),
            content: z.string(),
            contentHash: Hex32Schema,
            immutable: z.boolean(),
          })
          .nullable(),
        erc8004AgentId: IdAnswer.nullable(),
      })
      .nullable()
      .openapi({
        description: "The public part of the agent's registration; null once claimed.",
      }),
  })
  .openapi("ClaimDraft");

/**
 * A validated second step as the service takes it.
 *
 * @throws ApiError INVALID_REQUEST for a value given twice that is not the same.
 */
export function toAgentRegistration(
  body: z.output<typeof RegisterStepSchema>,
): AgentRegistrationRequest {
  const { personalityDocument, services = [], agentAvatar, publicIdentity = {} } = body;
  const image = publicIdentity.image ?? agentAvatar;
  if (agentAvatar !== undefined && agentAvatar !== image) {
    throw badRequest("agentAvatar", "publicIdentity.image has another value");
  }
  return {
    agentName: body.agentName,
    agentType: body.agentType,
    systemPrompt: body.systemPrompt,
    sourceFormat: body.sourceFormat ?? "plaintext",
    publicFields: [...new Set(body.publicFields ?? [])],
    publicIdentity: withServices({ ...publicIdentity, image }, services),
    agentDescription: body.agentDescription ?? null,
    personalityDocument: personalityDocument
      ? { ...personalityDocument, immutable: personalityDocument.immutable ?? false }
      : null,
    birthBundle: toBirthBundle(body.birthBundle),
    erc8004AgentId: body.erc8004AgentId ?? null,
  };
}

function toEdits(body: z.output<typeof EditedDataSchema> | undefined): ClaimEdits {
  if (body === undefined) return {};
  const { worldIdProof, ...edits } = body;
  return worldIdProof === undefined ? edits : { ...edits, humanProof: worldIdProof };
}

/** The terms of a validated body. */
export function toTerms(body: z.output<typeof ClaimTermsSchema>): ClaimTerms {
  const { registrationId, ownerAddress, editedData, seal = true } = body;
  const edits = toEdits(editedData);
  return { registrationId, ownerAddress, edits, seal, agentKeeps: agentKeepsOf(body) };
}

/** Both spellings mean the same. A body with both must give them the same value. */
function agentKeepsOf({ agentKeeps, agentKey }: z.output<typeof ClaimTermsSchema>): boolean {
  if (agentKeeps !== undefined && agentKey !== undefined && agentKeeps !== agentKey) {
    const message = `agentKeeps says ${agentKeeps}`;
    throw badRequest("agentKey", message);
  }
  return agentKeeps ?? agentKey ?? true;
}

/** The services as endpoints and website of the identity: each is written once, with one address. */
function withServices(
  identity: PublicIdentity,
  services: readonly z.output<typeof ServiceSchema>[],
): PublicIdentity {
  let { website } = identity;
  const serviceEndpoints = { ...identity.serviceEndpoints };
  services.forEach(({ type, url }, index) => {
    const isWebsite = isSameService(type, "web") || isSameService(type, "website");
    const name = Object.keys(serviceEndpoints).find((other) => isSameService(other, type));
    const given = isWebsite ? website : serviceEndpoints[name ?? type];
    if (given !== undefined && given !== url) {
      throw badRequest(`services.${index}.type`, "Given twice, with another address");
    }
    if (isWebsite) website = url;
    else serviceEndpoints[name ?? type] = url;
  });
  const isServed = Object.keys(serviceEndpoints).length > 0;
  const all = { ...identity, website, serviceEndpoints: isServed ? serviceEndpoints : undefined };
  // The identity's own names were checked before.
  for (const [name, message] of unlistableServices(all)) {
    const index = services.findIndex(({ type }) => isSameService(type, name));
    throw badRequest(`services.${index}.type`, message);
  }
  return all;
}

function toBirthBundle(bundle: z.output<typeof BirthBundleSchema> | undefined): BirthBundle | null {
  if (bundle === undefined) return null;
  const { note = "", creatorName = "", creatorImageUrl = "" } = bundle;
  return { note, creatorName, creatorImageUrl };
}
