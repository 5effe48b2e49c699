import { createRoute, z } from "@hono/zod-openapi";
import { badRequest } from "../../../kernel/errors.ts";
import type { VerifiedToken } from "../../../kernel/sessions.ts";
import { createRouter, errorResponses } from "../../../platform/http/router.ts";
import { idNumber } from "../../../platform/http/schemas.ts";
import { operations } from "../operation-rules.ts";
import { IntrospectionAnswer } from "../schemas.ts";
import type { createIntrospection } from "./introspection.ts";
import { revokeToken } from "./tokens.ts";

/**
 * Not strict: OAuth clients may send `token_type_hint`, which we need not heed, `client_id` and
 * others.
 */
const TokenRequest = z.looseObject({ token: z.string() });

const common = {
  method: "post" as const,
  tags: ["Sign-in"],
  request: {
    // Not `required`: that would demand every listed type at once. The handler refuses a request
    // without a token.
    body: {
      content: {
        "application/json": { schema: TokenRequest },
        "application/x-www-form-urlencoded": { schema: TokenRequest },
      },
    },
  },
};
const postIntrospect = createRoute({
  ...common,
  path: "/auth/token/introspect",
  operationId: "introspectToken",
  summary: "Whether an access token is good now, and what it says (RFC 7662)",
  responses: {
    200: {
      description:
        "`active: false` alone for anything that is not a good token: invalid, expired, revoked, or its passport was transferred or its soul suspended or burned since.",
      content: { "application/json": { schema: IntrospectionAnswer } },
    },
    ...errorResponses("REGISTRY_PENDING", "INDEX_BEHIND"),
  },
});

const postRevoke = createRoute({
  ...common,
  path: "/auth/token/revoke",
  operationId: "revokeToken",
  summary: "End an access token (RFC 7009)",
  responses: {
    200: {
      description: "The token is not, or no longer, valid. The answer does not say why.",
      content: { "application/json": { schema: z.strictObject({}) } },
    },
    ...errorResponses(),
  },
});

/**
 * Operations for holders of an access token. Public: the answers reveal nothing that the token does
 * not.
 */
export const introspectRoutes = ({
  introspection,
  revocation,
}: {
  readonly introspection: ReturnType<typeof createIntrospection>;
  readonly revocation: Parameters<typeof revokeToken>[0];
}) =>
  createRouter(operations)
    .openapi(postIntrospect, async (c) => {
      const token = tokenOf(c.req.valid("json"), c.req.valid("form"));
      const verified = await introspection.introspect(token);
      return c.json(verified ? activeAnswer(verified) : { active: false as const }, 200);
    })
    .openapi(postRevoke, async (c) => {
      await revokeToken(revocation, tokenOf(c.req.valid("json"), c.req.valid("form")));
      return c.json({}, 200);
    });

/** The body that was not sent is empty. */
function tokenOf(...bodies: readonly { readonly token?: string }[]): string {
  const token = bodies.find((body) => body.token !== undefined)?.token;
  if (token !== undefined) return token;
  throw badRequest("token", "Missing");
}

function activeAnswer(token: VerifiedToken) {
  return {
    active: true as const,
    sub: token.holder,
    iss: token.issuer,
    aud: token.audience,
    exp: token.expiresAt,
    iat: token.issuedAt,
    jti: token.jti,
    token_type: "Bearer" as const,
    scope: token.scopes.join(" "),
    tier: token.tier,
    scopes: [...token.scopes],
    agentName: token.agentName,
    erc8004AgentId: idNumber(token.agentId),
    chainId: token.chainId,
    humanVerified: token.humanVerified,
    manages: token.manages ?? undefined,
  };
}
