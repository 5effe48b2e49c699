import { z } from "@hono/zod-openapi";
import { NAME_PATTERN } from "../../../protocol/names.ts";
import { badRequest } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../platform/http/lists/pages.ts";
import { publicList } from "../../platform/http/operations.ts";
import { AddressSchema, TokenIdParam } from "../../platform/http/schemas.ts";
import { withFleetId } from "./answers.http.ts";
import type { BuiltOrganizations } from "./build.ts";
import { MEMBER_ORDERS } from "./organizations.ts";
import {
  memberBody,
  OrganizationAnswer,
  OrganizationPageAnswer,
  OrganizationStatsAnswer,
  ofOrganization,
  organizationBody,
  statsBody,
} from "./schemas.ts";

const memberCursors = listCursors(
  "members",
  z.discriminatedUnion("order", [
    z.strictObject({ order: z.literal("addedAt"), block: IdPart, tokenId: IdPart }),
    z.strictObject({
      order: z.literal("agentName"),
      agentName: z.string().regex(NAME_PATTERN),
      tokenId: IdPart,
    }),
    z.strictObject({
      order: z.literal("soulAlignment"),
      score: z.int32().nullable(),
      tokenId: IdPart,
    }),
  ]),
);

type Lists = Pick<BuiltOrganizations, "organizations">;

const read = { ...publicList, madeFrom: "database" } as const;
const ERRORS = ["INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"] as const;

export const listOrganizations = endpoint({
  operationId: "listOrganizations",
  rules: { ...read, legacyPaths: ["/fleet"] },
  method: "get",
  path: "/org",
  tag: "Organizations",
  summary: "Organizations, listed or found",
  description: "Every filter that is given must hold. By id, the oldest first.",
  query: {
    admin: AddressSchema.optional(),
    tokenId: TokenIdParam.optional().openapi({ description: "The organization of this agent." }),
    q: z.string().trim().min(1).max(64).optional().openapi({
      description: "The beginning of the name in any case, or an id. No wildcards.",
    }),
    cursor: TokenIdParam.optional().openapi({ description: "`nextCursor` of the page before." }),
    limit: limitParam(25),
  },
  waitsForBlock: true,
  done: "One page, as last indexed.",
  answer: OrganizationPageAnswer,
  errors: ["INVALID_REQUEST", "REGISTRY_PENDING", "INDEX_BEHIND"],
  async run({ cursor = 0n, limit, admin, tokenId, q }, { organizations }: Lists, c) {
    const { at, value } = await organizations.list({ admin, tokenId, q }, cursor, limit);
    reflectsBlock(c, at);
    return {
      organizations: value.organizations.map((one) => withFleetId(c, organizationBody(one))),
      nextCursor: value.next?.toString() ?? null,
    };
  },
});

export const getOrganization = endpoint({
  ...ofOrganization,
  operationId: "getOrganization",
  rules: { ...read, legacyPaths: ["/fleet/{organizationId}"] },
  method: "get",
  path: "/org/{organizationId}",
  summary: "An organization and its members",
  query: {
    membersLimit: limitParam(20),
    membersOffset: offsetParam(1_000_000),
    membersCursor: memberCursors.param,
    sortBy: z.enum(MEMBER_ORDERS).default("addedAt").openapi({
      description:
        "`addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first.",
    }),
  },
  waitsForBlock: true,
  done: "As last indexed.",
  answer: OrganizationAnswer,
  errors: ERRORS,
  async run(
    { organizationId, membersLimit, membersOffset, membersCursor: cursor, sortBy: order },
    { organizations }: Lists,
    c,
  ) {
    if (cursor !== undefined && cursor.order !== order) {
      throw badRequest(
        "membersCursor",
        `A cursor of the order ${cursor.order}. Send sortBy=${cursor.order} with it`,
      );
    }
    const page = pageBy(membersLimit, {
      cursor,
      cursorName: "membersCursor",
      counted: ["membersOffset", membersOffset],
    });
    const { at, value } = await organizations.withMembers(organizationId, { ...page, order });
    reflectsBlock(c, at);
    const members = value.members.map(memberBody);
    const nextCursor = memberCursors.text(value.next);
    return withFleetId(c, { ...organizationBody(value), members, nextCursor });
  },
});

export const getOrganizationStats = endpoint({
  ...ofOrganization,
  operationId: "getOrganizationStats",
  rules: { ...read, legacyPaths: ["/fleet/{organizationId}/stats"] },
  method: "get",
  path: "/org/{organizationId}/stats",
  summary: "An organization in numbers",
  description: "All numbers are of active members; `memberCount` is the registry's.",
  waitsForBlock: true,
  done: "As last indexed.",
  answer: OrganizationStatsAnswer,
  errors: ERRORS,
  async run({ organizationId }, { organizations }: Lists, c) {
    const { at, value } = await organizations.stats(organizationId);
    reflectsBlock(c, at);
    const { organizationId: id, name, memberCount } = organizationBody(value);
    return withFleetId(c, {
      organizationId: id,
      name,
      memberCount,
      stats: statsBody(value.stats),
    });
  },
});
