import { z } from "@hono/zod-openapi";
import { SCOPES } from "../../../kernel/scopes.ts";
import { endpoint } from "../../../platform/endpoint.ts";
import { publicRead, signIn } from "../../../platform/http/operations.ts";
import { AgentIdsAnswer, agentIds } from "../../../platform/http/schemas.ts";
import { verifyKey } from "../key-verification.ts";
import { TierSchema } from "../schemas.ts";

// For services that agents and their owners present credentials to.

export const getAuthorizationServerMetadata = endpoint({
  operationId: "getAuthorizationServerMetadata",
  rules: { ...publicRead, cache: "published" },
  method: "get",
  at: "/",
  path: "/.well-known/oauth-authorization-server",
  tag: "Sign-in",
  summary: "Where tokens are introspected and revoked (RFC 8414)",
  done: "Introspection and revocation only: tokens come from the sign-in flows, which are no OAuth grants.",
  answer: z.object({
    issuer: z.string(),
    introspection_endpoint: z.string(),
    introspection_endpoint_auth_methods_supported: z.array(z.literal("none")),
    revocation_endpoint: z.string(),
    revocation_endpoint_auth_methods_supported: z.array(z.literal("none")),
    scopes_supported: z.array(z.enum(SCOPES)),
    response_types_supported: z.array(z.string()).max(0),
    grant_types_supported: z.array(z.string()).max(0),
  }),
  errors: [],
  async run(_input, { publicUrl: { origin } }: { readonly publicUrl: URL }) {
    return {
      issuer: origin,
      introspection_endpoint: `${origin}/api/v1/auth/token/introspect`,
      introspection_endpoint_auth_methods_supported: ["none" as const],
      revocation_endpoint: `${origin}/api/v1/auth/token/revoke`,
      revocation_endpoint_auth_methods_supported: ["none" as const],
      scopes_supported: [...SCOPES],
      response_types_supported: [],
      grant_types_supported: [],
    };
  },
});

export const verifyApiKey = endpoint({
  operationId: "verifyApiKey",
  // Public: the key is the credential.
  rules: { ...signIn, effect: "reads", rate: "token-check" },
  method: "post",
  at: "/api/v1",
  path: "/auth/verify-key",
  tag: "Sign-in",
  summary: "Whose API key this is, for services that agents present it to",
  body: z.strictObject({ apiKey: z.string() }),
  done: "`valid: false` alone for anything that is not the full key of an agent now: unknown, provisional, revoked, of a burned soul, or of one whose passport has moved.",
  answer: z
    .union([
      z.object({
        valid: z.literal(true),
        agentName: z.string(),
        tokenId: AgentIdsAnswer.tokenId,
        tier: TierSchema,
        humanVerified: z.boolean(),
        erc8004AgentId: AgentIdsAnswer.erc8004AgentId,
      }),
      z.object({ valid: z.literal(false) }),
    ])
    .openapi("KeyVerification"),
  errors: ["CHAIN_UNAVAILABLE"],
  async run({ body }, { apiKeys }: { readonly apiKeys: Parameters<typeof verifyKey>[0] }) {
    const agent = await verifyKey(apiKeys, body.apiKey);
    if (agent === null) return { valid: false as const };
    const { name: agentName, tier } = agent;
    const { tokenId, erc8004AgentId } = agentIds(agent);
    return {
      valid: true as const,
      agentName,
      tokenId,
      tier,
      humanVerified: tier === 3,
      erc8004AgentId,
    };
  },
});
