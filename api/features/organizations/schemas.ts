import { z } from "@hono/zod-openapi";
import { AGENT_TYPES } from "../../../protocol/agent-type.ts";
import { IdAnswer, idNumber, TimestampSchema, TokenIdParam } from "../../platform/http/schemas.ts";
import {
  MEMBERSHIP_STATES,
  type MemberRecord,
  type OrganizationRecord,
  type OrganizationStats,
} from "./organizations.ts";

export const AddressAnswer = z.string().openapi({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Count = z.int().min(0);

/** Of every path to one organization. */
export const OrganizationParams = z.object({ organizationId: TokenIdParam });

/** Endpoints of one organization. */
export const ofOrganization = {
  tag: "Organizations",
  params: OrganizationParams.shape,
} as const;

/** On every answer about one organization. */
export const ORGANIZATION_ID = {
  organizationId: IdAnswer,
  fleetId: IdAnswer.optional().openapi({
    deprecated: true,
    description: "Former name of `organizationId`: on `/fleet` paths only.",
  }),
};

const summary = {
  ...ORGANIZATION_ID,
  name: z.string().openapi({ description: "As its founder wrote it: untrusted, not unique." }),
  admin: AddressAnswer,
  pendingAdmin: AddressAnswer.nullable().openapi({
    description: "Named by the admin and not accepted yet. It has no rights.",
  }),
  memberCount: Count.openapi({
    description:
      "As the registry counts: a membership without effect counts until it is removed or replaced.",
  }),
  createdAt: TimestampSchema,
  active: z.boolean().openapi({ description: "True: an organization never ends." }),
};

const Member = z
  .object({
    tokenId: IdAnswer,
    agentName: z.string(),
    agentType: z.enum(AGENT_TYPES),
    soulAlignment: z.int().nullable().openapi({ description: "The last recorded score." }),
    addedAt: TimestampSchema,
    status: z.enum(MEMBERSHIP_STATES).openapi({
      description:
        "`suspended`: the passport has left the agent's sealer. `ended`: of an earlier epoch or a burned agent, and not removed from the registry yet. Only `active` ones have effect.",
    }),
  })
  .openapi("OrganizationMember");

export const OrganizationAnswer = z
  .object({
    ...summary,
    members: z.array(Member),
    nextCursor: z.string().nullable().openapi({
      description:
        "Send it as `membersCursor` for the next page of members. Null on the last page.",
    }),
  })
  .openapi("Organization");

export const OrganizationPageAnswer = z
  .object({
    organizations: z.array(z.object(summary).openapi("ListedOrganization")),
    nextCursor: z.string().nullable().openapi({ description: "Null on the last page." }),
  })
  .openapi("OrganizationPage");

export const OrganizationStatsAnswer = z
  .object({
    ...ORGANIZATION_ID,
    name: z.string(),
    memberCount: Count,
    stats: z.object({
      activeMembers: Count.openapi({ description: "What all other numbers are about." }),
      averageAlignment: z.int().nullable().openapi({ description: "Null without a score." }),
      alignmentDistribution: z.object({
        "90-100": Count,
        "70-89": Count,
        "50-69": Count,
        below50: Count,
      }),
      agentTypeBreakdown: z.record(z.enum(AGENT_TYPES), Count),
      totalChronicles: Count,
      totalBindings: Count.openapi({
        description: "Bindings in effect from a member to any agent.",
      }),
      sealedCount: Count,
      provisionalCount: Count,
      driftedCount: Count.openapi({
        description: "Members whose score fell by 20 or more since their first of the epoch.",
      }),
      lastActivity: TimestampSchema.nullable().openapi({
        description: "Null without an active member.",
      }),
    }),
  })
  .openapi("OrganizationStats");

export function organizationBody(record: OrganizationRecord) {
  const { organizationId, name, admin, pendingAdmin, memberCount, createdAt } = record;
  return {
    organizationId: idNumber(organizationId),
    name,
    admin,
    pendingAdmin,
    memberCount,
    createdAt: createdAt.toISOString(),
    active: true,
  };
}

export function memberBody(member: MemberRecord) {
  return {
    ...member,
    tokenId: idNumber(member.tokenId),
    addedAt: member.addedAt.toISOString(),
  };
}

export function statsBody(stats: OrganizationStats) {
  return { ...stats, lastActivity: stats.lastActivity?.toISOString() ?? null };
}
