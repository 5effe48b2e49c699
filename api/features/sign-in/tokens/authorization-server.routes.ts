import { createRoute, z } from "@hono/zod-openapi";
import { SCOPES } from "../../../kernel/scopes.ts";
import { createRouter, errorResponses } from "../../../platform/http/router.ts";
import { operations } from "../operation-rules.ts";

const getMetadata = createRoute({
  method: "get",
  path: "/.well-known/oauth-authorization-server",
  operationId: "getAuthorizationServerMetadata",
  tags: ["Sign-in"],
  summary: "Where tokens are introspected and revoked (RFC 8414)",
  responses: {
    200: {
      description:
        "Introspection and revocation only: tokens come from the sign-in flows, which are no OAuth grants.",
      content: {
        "application/json": {
          schema: z.object({
            issuer: z.string(),
            introspection_endpoint: z.string(),
            introspection_endpoint_auth_methods_supported: z.array(z.literal("none")),
            revocation_endpoint: z.string(),
            revocation_endpoint_auth_methods_supported: z.array(z.literal("none")),
            scopes_supported: z.array(z.enum(SCOPES)),
            response_types_supported: z.array(z.string()).max(0),
            grant_types_supported: z.array(z.string()).max(0),
          }),
        },
      },
    },
    ...errorResponses(),
  },
});

/** Metadata of this server as an OAuth authorization server. The issuer is its public URL. */
export const authorizationServerRoutes = ({ publicUrl }: { readonly publicUrl: URL }) =>
  createRouter(operations).openapi(getMetadata, (c) => {
    const { origin } = publicUrl;
    return c.json(
      {
        issuer: origin,
        introspection_endpoint: `${origin}/api/v1/auth/token/introspect`,
        introspection_endpoint_auth_methods_supported: ["none" as const],
        revocation_endpoint: `${origin}/api/v1/auth/token/revoke`,
        revocation_endpoint_auth_methods_supported: ["none" as const],
        scopes_supported: [...SCOPES],
        response_types_supported: [],
        grant_types_supported: [],
      },
      200,
    );
  });
