import { createRoute, z } from "@hono/zod-openapi";
import { SCOPES } from "../../../kernel/scopes.ts";
import { MANAGES } from "../../../kernel/sessions.ts";
import { authorise } from "../../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../../platform/http/lists/cursors.ts";
import { limitParam } from "../../../platform/http/lists/pages.ts";
import { createRouter, errorResponses } from "../../../platform/http/router.ts";
import {
  IdAnswer,
  idNumber,
  idNumberOrNull,
  TimestampSchema,
  TokenIdParam,
} from "../../../platform/http/schemas.ts";
import { operations } from "../operation-rules.ts";
import type { ListedSession, OwnerSessions } from "./sessions.ts";

const cursors = listCursors("sessions", z.strictObject({ openedAt: TimePart, id: z.uuid() }));

const listSessions = createRoute({
  method: "get",
  path: "/sessions",
  operationId: "listSessions",
  tags: ["Sign-in"],
  summary: "The live sign-ins of an agent's owner, without their tokens",
  description:
    "For the agent's owner, signed in with scope `manage`. Lists sessions that name the agent's passport, and those that manage every agent of the account. Ended and expired ones are left out.",
  request: {
    query: z.object({
      tokenId: TokenIdParam,
      limit: limitParam(25),
      cursor: cursors.param,
    }),
  },
  responses: {
    200: {
      description: "The newest first.",
      content: {
        "application/json": {
          schema: z
            .object({
              tokenId: IdAnswer,
              sessions: z.array(
                z
                  .object({
                    sessionId: z.uuid(),
                    erc8004AgentId: IdAnswer.nullable().openapi({
                      description:
                        "The passport that was signed in with. Null for the console, which the account signs in to as such.",
                    }),
                    audience: z.string().openapi({
                      description: "Who accepts the token: a relying party, or this service.",
                    }),
                    scopes: z.array(z.enum(SCOPES)),
                    manages: z.enum(MANAGES).nullable().openapi({
                      description: "Null: the token only identifies.",
                    }),
                    createdAt: TimestampSchema,
                    expiresAt: TimestampSchema,
                    lastUsedAt: TimestampSchema.nullable().openapi({
                      description: "To the minute; null before the first use.",
                    }),
                    current: z.boolean().openapi({
                      description: "Whether it is the session of this request.",
                    }),
                  })
                  .openapi("Session"),
              ),
              nextCursor: NextCursor,
            })
            .openapi("Sessions"),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "BURNED"),
  },
});

const endSession = createRoute({
  method: "delete",
  path: "/sessions/{sessionId}",
  operationId: "endSession",
  tags: ["Sign-in"],
  summary: "End one sign-in of the caller's account",
  description:
    "For the account of an owner session; a session for one agent ends only those that reach this agent. The token is refused from the next request on. Doing it again changes nothing.",
  request: { params: z.object({ sessionId: z.uuid() }) },
  responses: {
    204: { description: "The session has ended." },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

/** `/sessions` and `/sessions/{sessionId}`. */
export const sessionRoutes = ({ ownerSessions }: { readonly ownerSessions: OwnerSessions }) =>
  createRouter(operations)
    .openapi(listSessions, async (c) => {
      const { tokenId, limit, cursor } = c.req.valid("query");
      await authorise(c, tokenId);
      const page = { limit, after: cursor };
      const { entries, next } = await ownerSessions.list(tokenId, page);
      const caller = c.get("caller");
      const current = caller.kind === "session" ? caller.sessionId : null;
      return c.json(
        {
          tokenId: idNumber(tokenId),
          sessions: entries.map((session) => sessionAnswer(session, current)),
          nextCursor: cursors.text(next),
        },
        200,
      );
    })
    .openapi(endSession, async (c) => {
      await ownerSessions.end(c.req.valid("param").sessionId, c.get("caller"));
      return c.body(null, 204);
    });

function sessionAnswer(session: ListedSession, current: string | null) {
  return {
    sessionId: session.id,
    erc8004AgentId: idNumberOrNull(session.passportId),
    audience: session.audience,
    scopes: [...session.scopes],
    manages: session.manages,
    createdAt: session.openedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    lastUsedAt: session.lastUsedAt?.toISOString() ?? null,
    current: session.id === current,
  };
}
