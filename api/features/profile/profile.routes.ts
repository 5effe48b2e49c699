import { z } from "@hono/zod-openapi";
import { AGENT_TYPES } from "../../../protocol/agent-type.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { isUnchanged } from "../../platform/http/conditional.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  IdFromClaimAnswer,
  idNumber,
  idNumberOrNull,
  NameOrTokenIdParam,
  TimestampSchema,
  TokenIdParam,
} from "../../platform/http/schemas.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import { DuplicateOfSchema, duplicateOfBody } from "./duplicate-of.schemas.ts";
import type { AgentProfile, ProfileService } from "./profile.ts";
import { DeclaredIdentitySchema, identityBody } from "./public-identity.schemas.ts";

const ShownAddress = z.string().openapi({
  pattern: "^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{4}…[0-9a-fA-F]{4})$",
  description: "Whole, truncated or null, as the agent's display settings have it.",
});
const GenesisStatus = z.enum(["SEALED", "PROVISIONAL", "BURNED"]);

const DisclosedField = z.union([
  z.object({
    count: z.int(),
    disclosed: z.boolean(),
    value: z.array(z.unknown()),
    verified: z.boolean(),
  }),
  z.object({ value: z.unknown(), verified: z.boolean() }),
]);

const Profile = z
  .object({
    agentName: z.string(),
    tokenId: IdFromClaimAnswer,
    did: z.string(),
    agentType: z.enum(AGENT_TYPES),
    genesisStatus: GenesisStatus,
    soulHash: Hex32Schema.nullable(),
    soulMerkleRoot: Hex32Schema.nullable(),
    duplicateOf: DuplicateOfSchema,
    owner: ShownAddress.nullable(),
    operator: ShownAddress.nullable(),
    operatorLabel: z.string().nullable(),
    parentTokenId: IdAnswer.openapi({ description: "0: none." }),
    successorTokenId: IdAnswer.nullable().openapi({
      description: "Of a burned agent: the one that it was reincarnated in. Null for none.",
    }),
    organizationId: IdAnswer.openapi({ description: "0: independent." }),
    mintTimestamp: TimestampSchema.nullable(),
    sealedAt: TimestampSchema.nullable(),
    erc8004AgentId: IdFromClaimAnswer,
    agentWallet: z.string().nullable().openapi({
      description:
        "Where the agent takes payments: `agentWallet` of its passport, as last indexed. Null until the passport's owner sets it; every transfer clears it. Read `getAgentWallet` of the identity registry before paying.",
    }),
    erc8004Url: z.string().nullable(),
    soulValidity: z.object({
      status: z.enum(["valid", "suspended", "not_linked"]),
      passportOwnerMatch: z.boolean(),
      lastChecked: TimestampSchema.nullable(),
    }),
    soulAlignment: z.object({
      score: z.int().min(0).max(100).nullable(),
      lastSnapshot: TimestampSchema.nullable(),
    }),
    activity: z.object({
      tasksCompleted: z.int(),
      lifetimeEarned: z.string(),
      currency: z.string(),
      agentBindings: z.int(),
      lastActive: TimestampSchema.nullable(),
    }),
    chainAddresses: z.array(
      z.object({ chain: z.string(), address: z.string(), label: z.string() }),
    ),
    disclosedFields: z.record(z.string(), DisclosedField),
    arweaveTxId: z.string().nullable(),
    arweaveUrl: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    displayName: z.string().nullable().openapi({
      description:
        "What the owner has people call the agent. Not unique and not verified: identify agents by `agentName`.",
    }),
    birthBundle: z
      .object({ note: z.string(), creatorName: z.string(), creatorImageUrl: z.string() })
      .nullable(),
    publicIdentity: DeclaredIdentitySchema.nullable(),
    profileUrl: z.string(),
  })
  .openapi("AgentProfile");

const Status = z
  .object({
    agentName: z.string(),
    tokenId: IdFromClaimAnswer,
    erc8004AgentId: IdFromClaimAnswer,
    genesisStatus: GenesisStatus,
    soulAlignment: z.int().min(0).max(100).nullable(),
    lastSnapshot: TimestampSchema.nullable(),
    alive: z.boolean().openapi({ description: "Not burned." }),
    trustworthy: z.boolean(),
  })
  .openapi("AgentStatus");

const Address = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });

const SoulValidity = z
  .object({
    ...AgentIdsAnswer,
    valid: z.boolean(),
    sealedBy: Address.nullable().openapi({ description: "Null before the seal." }),
    currentPassportOwner: Address.nullable(),
    sealTimestamp: TimestampSchema.nullable(),
    message: z.string().optional().openapi({ description: "Why it is not valid." }),
  })
  .openapi("SoulValidity");

interface ProfileParts {
  readonly profiles: ProfileService;
}

const ofAgent = {
  rules: { ...publicRead, madeFrom: "database" },
  method: "get",
  tag: "Profile",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  errors: ["INVALID_NAME", "NOT_FOUND"],
} as const;

export const getProfile = endpoint({
  ...ofAgent,
  operationId: "getProfile",
  path: "/profile/{name}",
  summary: "Everything public about an agent",
  done: "The agent as last indexed.",
  answer: Profile,
  async run({ name }, { profiles }: ProfileParts, c) {
    const { at, value } = await profiles.profile(name);
    const body = profileBody(value);
    reflectsBlock(c, at, (later) => JSON.stringify(checkedAt(body, later)));
    if (value.soulValidity.status === "valid") aboutValidSeal(c);
    // The time of the check is the block's, and would give every block a tag of its own.
    const { lastChecked: _everyBlock, ...soulValidity } = body.soulValidity;
    return isUnchanged(c, { ...body, soulValidity }) ? c.body(null, 304) : body;
  },
});

export const getProfileStatus = endpoint({
  ...ofAgent,
  operationId: "getProfileStatus",
  path: "/profile/{name}/status",
  summary: "Whether an agent is alive, sealed and trustworthy",
  done: "The agent's standing as last indexed.",
  answer: Status,
  async run({ name }, { profiles }: ProfileParts, c) {
    const { at, value } = await profiles.status(name);
    const { isValid, ...status } = value;
    const body = {
      ...status,
      tokenId: idNumberOrNull(value.tokenId),
      erc8004AgentId: idNumberOrNull(value.erc8004AgentId),
      lastSnapshot: value.lastSnapshot?.toISOString() ?? null,
    };
    reflectsBlock(c, at);
    if (isValid) aboutValidSeal(c);
    return isUnchanged(c, body) ? c.body(null, 304) : body;
  },
});

export const getSoulValidity = endpoint({
  operationId: "getSoulValidity",
  rules: { ...publicRead, rate: "validity", cache: "revalidate", madeFrom: "database" },
  method: "get",
  path: "/soul-validity/{tokenId}",
  tag: "Profile",
  summary: "Whether a soul's sealer still owns its passport",
  params: { tokenId: TokenIdParam },
  waitsForBlock: true,
  done: "The soul as last indexed, or as on chain while the index is too far behind.",
  answer: SoulValidity,
  errors: ["NOT_FOUND"],
  async run({ tokenId }, { profiles }: ProfileParts, c) {
    const { at, value } = await profiles.sealCheck(tokenId);
    reflectsBlock(c, at, "same");
    return {
      ...value,
      tokenId: idNumber(value.tokenId),
      erc8004AgentId: idNumber(value.erc8004AgentId),
      sealTimestamp: iso(value.sealTimestamp),
    };
  },
});

function profileBody({ standingSince: _ofPage, passportUri: _asUrl, ...profile }: AgentProfile) {
  const { soulValidity, soulAlignment, activity } = profile;
  return {
    ...profile,
    tokenId: idNumberOrNull(profile.tokenId),
    parentTokenId: idNumber(profile.parentTokenId),
    successorTokenId: idNumberOrNull(profile.successorTokenId),
    organizationId: idNumber(profile.organizationId),
    erc8004AgentId: idNumberOrNull(profile.erc8004AgentId),
    duplicateOf: duplicateOfBody(profile.duplicateOf),
    mintTimestamp: iso(profile.mintTimestamp),
    sealedAt: iso(profile.sealedAt),
    soulValidity: { ...soulValidity, lastChecked: iso(soulValidity.lastChecked) },
    soulAlignment: { ...soulAlignment, lastSnapshot: iso(soulAlignment.lastSnapshot) },
    activity: { ...activity, lastActive: iso(activity.lastActive) },
    chainAddresses: [...profile.chainAddresses],
    disclosedFields: { ...profile.disclosedFields } as Record<
      string,
      z.output<typeof DisclosedField>
    >,
    publicIdentity: profile.publicIdentity && identityBody(profile.publicIdentity),
  };
}

/** What the profile is at a later block in which nothing changed. */
function checkedAt(body: ReturnType<typeof profileBody>, { timestamp }: IndexedPoint) {
  const { lastChecked } = body.soulValidity;
  const checked = lastChecked === null ? null : iso(dateOf(timestamp));
  return { ...body, soulValidity: { ...body.soulValidity, lastChecked: checked } };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
