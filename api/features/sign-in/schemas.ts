import { z } from "@hono/zod-openapi";
import { isAudience, MAX_AUDIENCE_LENGTH } from "../../../protocol/index.ts";
import { SCOPES } from "../../kernel/scopes.ts";
import {
  AddressSchema,
  IdAnswer,
  SignatureSchema,
  TimestampSchema,
} from "../../platform/http/schemas.ts";
import { DidDocumentAnswer } from "../did/index.ts";

const ScopeSchema = z.enum(SCOPES);
export const TierSchema = z.literal([1, 2, 3]).openapi({
  type: "integer",
  enum: [1, 2, 3],
  description: "1: passport. 2: sealed soul. 3: human-verified.",
});
const ScopesAnswer = z.array(ScopeSchema).openapi({
  description: "Granted scopes: the requested ones that the tier reaches, always with `identity`.",
});

export const ScopeRequest = z.array(ScopeSchema).max(SCOPES.length).default(["identity"]).openapi({
  description:
    "Scopes above the caller's tier are left out silently. `manage` makes the token an owner session: for the agent of `agentId`, or for every agent of the account where none is named. Not with an `audience`.",
});
export const AudienceRequest = z
  .string()
  .max(MAX_AUDIENCE_LENGTH)
  .refine(isAudience, {
    message:
      "Must be an https origin in its canonical form, such as https://shop.example: lower case, no default port, user, path or trailing slash. http only on loopback",
  })
  .optional()
  .openapi({
    format: "uri",
    example: "https://shop.example",
    description:
      "Origin of the relying party that the token is for: `aud` of the token, shown in the message. Default: this service's domain.",
  });
export const MinTierRequest = TierSchema.default(1).openapi({
  description: "Verify refuses a lower tier with TIER_TOO_LOW.",
});
export const ChainIdRequest = z
  .int()
  .min(1)
  .optional()
  .openapi({ description: "Must be the deployment's chain, which is the default." });

/** Generous: what was issued is compared byte for byte, so a longer text is never the right one. */
const MAX_MESSAGE = 8_192;

/** An issued message with its signature. */
export const SignedMessage = z.strictObject({
  nonce: z.string().min(1).max(128),
  message: z.string().min(1).max(MAX_MESSAGE),
  signature: SignatureSchema,
});

export const ChallengeAnswer = z
  .object({
    nonce: z.string(),
    message: z.string().openapi({ description: "To be signed exactly as it is (EIP-191)." }),
    expiresAt: TimestampSchema,
  })
  .openapi("SignInChallenge");

const AddressAnswer = AddressSchema.openapi({ type: "string" });
const HashAnswer = z.string().openapi({ pattern: "^0x[0-9a-f]{64}$" });

const HashOrNull = HashAnswer.nullable();
const TimestampOrNull = TimestampSchema.nullable();

const ProfileAnswer = z
  .object({
    agentId: IdAnswer.openapi({ description: "ERC-8004 passport id; 0 is a real one." }),
    agentName: z.string().openapi({
      description: "The soul's name while its sealer holds the passport, else `agent-<agentId>`.",
    }),
    holder: AddressAnswer,
    erc8004AgentId: IdAnswer.openapi({ description: "The same as agentId." }),
    chainId: z.int(),
    did: z.string().openapi({ example: "did:svc:8453:aurora" }),
    humanVerified: z.boolean(),
    avatar: z.string().nullable().openapi({
      description: "Image of the registration file, https or ipfs.",
    }),
    description: z.string().nullable().openapi({
      description: "Of the registration file: the owner's own words, unverified.",
    }),
    tokenId: IdAnswer.optional().openapi({
      description: "Certificate of the sealed soul; tier 2.",
    }),
    soulAlignment: z.number().nullable().optional().openapi({
      description: "Tier 2, in the wallet flow or with scope soul. Null: no score yet.",
    }),
    soulHash: HashAnswer.optional(),
    genesisRecord: z
      .object({
        tokenId: IdAnswer,
        genesisStatus: z.literal("SEALED"),
        agentType: z.string(),
        epoch: z.int(),
        sealer: AddressAnswer,
        soulHash: HashAnswer,
        soulMerkleRoot: HashAnswer,
        sealedAt: TimestampOrNull,
        mintTxHash: HashOrNull,
        sealTxHash: HashOrNull,
        arweaveTxId: z.string().nullable(),
      })
      .optional(),
    certs: z.array(z.object({ contract: AddressAnswer, tokenId: IdAnswer })).optional(),
    chronicles: z
      .array(
        z.object({
          changeType: z.string(),
          newSoulHash: HashOrNull,
          timestamp: TimestampSchema,
          txHash: HashAnswer,
          status: z.literal("confirmed"),
        }),
      )
      .optional()
      .openapi({ description: "Scope chronicles: the newest first, at most 50." }),
    services: z
      .array(z.object({ name: z.string(), endpoint: z.string(), version: z.string().nullable() }))
      .optional()
      .openapi({ description: "Scope services: A2A, MCP and web endpoints, unverified." }),
    bio: z.string().nullable().optional(),
    category: z.string().nullable().optional(),
    tags: z.array(z.string()).optional(),
    contacts: z.array(z.object({ type: z.string(), value: z.string() })).optional(),
    verifiedAt: TimestampOrNull.optional().openapi({
      description: "Scope human_verified: when the owner was attested.",
    }),
    didDocument: DidDocumentAnswer.optional().openapi({
      description: "Scope did: a W3C DID document.",
    }),
  })
  .openapi("SignInProfile");

export const TokenAnswer = z
  .object({
    accessToken: z.string().openapi({ description: "HS256 JWT." }),
    tokenType: z.literal("Bearer"),
    expiresIn: z.int().openapi({ description: "Seconds." }),
    tier: TierSchema,
    profile: ProfileAnswer,
    scopes: ScopesAnswer,
  })
  .openapi("SignInToken");

const ActiveToken = z.object({
  active: z.literal(true),
  sub: AddressAnswer,
  iss: z.string(),
  aud: z.string().openapi({
    description:
      "Who may accept the token: the origin given as `audience`, else this service's domain, which is `iss`. Any other party must refuse it.",
  }),
  exp: z.int(),
  iat: z.int(),
  jti: z.string(),
  token_type: z.literal("Bearer"),
  scope: z.string().openapi({ description: "The scopes, separated by spaces (RFC 7662)." }),
  tier: TierSchema,
  scopes: ScopesAnswer,
  agentName: z.string(),
  erc8004AgentId: IdAnswer,
  chainId: z.int(),
  humanVerified: z.boolean(),
  manages: z.enum(["agent", "account"]).optional().openapi({
    description:
      "Only with scope `manage`: whether it reaches the agent named here, or every agent that `sub` owns.",
  }),
});

export const IntrospectionAnswer = z
  .union([ActiveToken, z.object({ active: z.literal(false) })])
  .openapi("Introspection");
