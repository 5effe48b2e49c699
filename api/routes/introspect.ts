import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../errors.ts";
import { neverStored } from "../http/headers.ts";
import { createRouter, errorResponses } from "../http/router.ts";
import { idNumber } from "../http/schemas.ts";
import { IntrospectionAnswer } from "../http/sign-in-schemas.ts";
import type { Introspection } from "../services/introspection.ts";
import type { VerifiedToken } from "../services/tokens.ts";

/** Not strict: RFC 7662 clients may send `token_type_hint`, which we need not heed, and others. */
const IntrospectionRequest = z.looseObject({ token: z.string() });

const postIntrospect = createRoute({
  method: "post",
  path: "/auth/token/introspect",
  operationId: "introspectToken",
  tags: ["Sign-in"],
  summary: "Whether an access token is good now, and what it says (RFC 7662)",
  middleware: neverStored,
  request: {
    // Not `required`: that would demand every listed type at once. The handler refuses a request without a token.
    body: {
      content: {
        "application/json": { schema: IntrospectionRequest },
        "application/x-www-form-urlencoded": { schema: IntrospectionRequest },
      },
    },
  },
  responses: {
    200: {
      description:
        "`active: false` alone for anything that is not a good token: invalid, expired, or its passport was transferred or its soul suspended or burned since.",
      content: { "application/json": { schema: IntrospectionAnswer } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      "REGISTRY_PENDING",
    ),
  },
});

/** Token introspection, for services that were given an access token. Public: it tells nothing that the token does not. */
export const introspectRoutes = ({ introspection }: { readonly introspection: Introspection }) =>
  createRouter().openapi(postIntrospect, async (c) => {
    // The one that was not sent is empty.
    const token = c.req.valid("json").token ?? c.req.valid("form").token;
    if (token === undefined) throw missingToken();
    const verified = await introspection.introspect(token);
    return c.json(verified ? activeAnswer(verified) : { active: false as const }, 200);
  });

function missingToken(): ApiError {
  return new ApiError("INVALID_REQUEST", {
    details: { issues: [{ path: "token", message: "Missing" }] },
  });
}

function activeAnswer(token: VerifiedToken) {
  return {
    active: true as const,
    sub: token.holder,
    iss: token.issuer,
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
  };
}
