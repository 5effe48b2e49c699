import { z } from "@hono/zod-openapi";
import { SCOPES } from "../../../kernel/scopes.ts";
import { MANAGES } from "../../../kernel/sessions.ts";
import { endpoint } from "../../../platform/endpoint.ts";
import { clearConsoleCookie } from "../../../platform/http/console/cookie.ts";
import { authorise } from "../../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../../platform/http/lists/cursors.ts";
import { limitParam } from "../../../platform/http/lists/pages.ts";
import { agentRead, agentWrite } from "../../../platform/http/operations.ts";
import {
  IdAnswer,
  idNumber,
  idNumberOrNull,
  TimestampSchema,
  TokenIdParam,
} from "../../../platform/http/schemas.ts";
import type { ListedSession, OwnerSessions } from "./sessions.ts";

const cursors = listCursors("sessions", z.strictObject({ openedAt: TimePart, id: z.uuid() }));

const SessionAnswer = z
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
  .openapi("Session");

interface SessionParts {
  readonly ownerSessions: OwnerSessions;
}

const ending = {
  rules: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  method: "delete",
  tag: "Sign-in",
} as const;

export const listSessions = endpoint({
  operationId: "listSessions",
  rules: { ...agentRead, access: "session" },
  method: "get",
  path: "/sessions",
  tag: "Sign-in",
  summary: "The live sign-ins of an agent's owner, without their tokens",
  description:
    "For the agent's owner, signed in with scope `manage`. Lists sessions that name the agent's passport, and those that manage every agent of the account. Ended and expired ones are left out.",
  query: { tokenId: TokenIdParam, limit: limitParam(25), cursor: cursors.param },
  done: "The newest first.",
  answer: z
    .object({ tokenId: IdAnswer, sessions: z.array(SessionAnswer), nextCursor: NextCursor })
    .openapi("Sessions"),
  errors: ["NOT_FOUND", "BURNED"],
  async run({ tokenId, limit, cursor }, { ownerSessions }: SessionParts, c) {
    await authorise(c, tokenId);
    const { entries, next } = await ownerSessions.list(tokenId, { limit, after: cursor });
    const caller = c.get("caller");
    const current = caller.kind === "session" ? caller.sessionId : null;
    return {
      tokenId: idNumber(tokenId),
      sessions: entries.map((session) => sessionAnswer(session, current)),
      nextCursor: cursors.text(next),
    };
  },
});

export const endSession = endpoint({
  ...ending,
  operationId: "endSession",
  path: "/sessions/{sessionId}",
  summary: "End one sign-in of the caller's account",
  description:
    "For the account of an owner session; a session for one agent ends only those that reach this agent. The token is refused from the next request on. Doing it again changes nothing.",
  params: { sessionId: z.uuid() },
  done: "The session has ended.",
  errors: ["NOT_FOUND"],
  run: ({ sessionId }, { ownerSessions }: SessionParts, c) =>
    ownerSessions.end(sessionId, c.get("caller")),
});

export const signOut = endpoint({
  ...ending,
  operationId: "signOut",
  path: "/sessions",
  summary: "End the account's session of this request, or all of its sessions",
  description:
    "The session is refused from the next request on, in every process. In the console this also removes the cookie. Not for a token that manages one agent: it can be revoked.",
  query: {
    everywhere: z.enum(["true", "false"]).optional().openapi({
      description:
        "`true` ends every sign-in of the account, those for other services too, and its open challenges.",
    }),
  },
  done: "It has ended.",
  errors: ["FORBIDDEN"],
  async run(
    { everywhere },
    { ownerSessions, publicUrl }: SessionParts & { readonly publicUrl: URL },
    c,
  ) {
    await ownerSessions.signOut(c.get("caller"), everywhere === "true");
    clearConsoleCookie(c, publicUrl);
  },
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
