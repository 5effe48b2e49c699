import { createRoute, z } from "@hono/zod-openapi";
import { NAME_PATTERN } from "../../../protocol/names.ts";
import { badRequest } from "../../kernel/errors.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { IdPart, listCursors } from "../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../platform/http/lists/pages.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { AddressSchema, TokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import { withFleetId } from "./fleet.http.ts";
import { operations } from "./operation-rules.ts";
import { MEMBER_ORDERS, type Organizations } from "./organizations.ts";
import {
  memberBody,
  OrganizationAnswer,
  OrganizationPageAnswer,
  OrganizationParams,
  OrganizationStatsAnswer,
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

export interface OrganizationRouteDeps {
  readonly organizations: Organizations;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/org`: organizations, their members and their numbers. */
export function organizationRoutes({ organizations, index, indexerWaitMs }: OrganizationRouteDeps) {
  const middleware = minBlock(index, indexerWaitMs);

  const listOrganizations = createRoute({
    method: "get",
    path: "/org",
    operationId: "listOrganizations",
    tags: ["Organizations"],
    summary: "Organizations, listed or found",
    description: "Every filter that is given must hold. By id, the oldest first.",
    request: {
      query: z.object({
        admin: AddressSchema.optional(),
        tokenId: TokenIdParam.optional().openapi({
          description: "The organization of this agent.",
        }),
        q: z.string().trim().min(1).max(64).optional().openapi({
          description: "The beginning of the name in any case, or an id. No wildcards.",
        }),
        cursor: TokenIdParam.optional().openapi({
          description: "`nextCursor` of the page before.",
        }),
        limit: limitParam(25),
        ...MinBlockQuery.shape,
      }),
    },
    middleware,
    responses: {
      200: {
        description: "One page, as last indexed.",
        content: { "application/json": { schema: OrganizationPageAnswer } },
      },
      ...errorResponses("INVALID_REQUEST", "REGISTRY_PENDING", "INDEX_BEHIND"),
    },
  });

  const getOrganization = createRoute({
    method: "get",
    path: "/org/{organizationId}",
    operationId: "getOrganization",
    tags: ["Organizations"],
    summary: "An organization and its members",
    request: {
      params: OrganizationParams,
      query: z.object({
        membersLimit: limitParam(20),
        membersOffset: offsetParam(1_000_000),
        membersCursor: memberCursors.param,
        sortBy: z.enum(MEMBER_ORDERS).default("addedAt").openapi({
          description:
            "`addedAt`: the first to join first; `agentName`; `soulAlignment`: the highest score first.",
        }),
        ...MinBlockQuery.shape,
      }),
    },
    middleware,
    responses: {
      200: {
        description: "As last indexed.",
        content: { "application/json": { schema: OrganizationAnswer } },
      },
      ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"),
    },
  });

  const getStats = createRoute({
    method: "get",
    path: "/org/{organizationId}/stats",
    operationId: "getOrganizationStats",
    tags: ["Organizations"],
    summary: "An organization in numbers",
    description: "All numbers are of active members; `memberCount` is the registry's.",
    request: { params: OrganizationParams, query: MinBlockQuery },
    middleware,
    responses: {
      200: {
        description: "As last indexed.",
        content: { "application/json": { schema: OrganizationStatsAnswer } },
      },
      ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "REGISTRY_PENDING", "INDEX_BEHIND"),
    },
  });

  return createRouter(operations)
    .openapi(listOrganizations, async (c) => {
      const { cursor = 0n, limit: size, minBlock: _waited, ...filter } = c.req.valid("query");
      const { at, value } = await organizations.list(filter, cursor, size);
      reflectsBlock(c, at);
      return c.json(
        {
          organizations: value.organizations.map((one) => withFleetId(c, organizationBody(one))),
          nextCursor: value.next?.toString() ?? null,
        },
        200,
      );
    })
    .openapi(getOrganization, async (c) => {
      const { organizationId } = c.req.valid("param");
      const { membersLimit, membersOffset, membersCursor, sortBy: order } = c.req.valid("query");
      if (membersCursor !== undefined && membersCursor.order !== order) {
        throw badRequest(
          "membersCursor",
          `A cursor of the order ${membersCursor.order}. Send sortBy=${membersCursor.order} with it`,
        );
      }
      const page = pageBy(membersLimit, {
        cursor: membersCursor,
        cursorName: "membersCursor",
        counted: ["membersOffset", membersOffset],
      });
      const { at, value } = await organizations.withMembers(organizationId, { ...page, order });
      reflectsBlock(c, at);
      const members = value.members.map(memberBody);
      const nextCursor = memberCursors.text(value.next);
      return c.json(withFleetId(c, { ...organizationBody(value), members, nextCursor }), 200);
    })
    .openapi(getStats, async (c) => {
      const { organizationId } = c.req.valid("param");
      const { at, value } = await organizations.stats(organizationId);
      reflectsBlock(c, at);
      const { organizationId: id, name, memberCount } = organizationBody(value);
      const body = { organizationId: id, name, memberCount, stats: statsBody(value.stats) };
      return c.json(withFleetId(c, body), 200);
    });
}
