import { createRoute, z } from "@hono/zod-openapi";
import { authorise } from "../../platform/http/guard.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  AgentIdsAnswer,
  agentIds,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import type { Policies, StoredPolicy } from "./policies.ts";
import { PolicyAnswer, SetPolicyAnswer, SetPolicySchema } from "./schemas.ts";

const setPolicy = createRoute({
  method: "post",
  path: "/disclose/policy",
  operationId: "setDisclosurePolicy",
  tags: ["Selective disclosure"],
  summary: "Say who may receive which fields",
  description:
    "Replaces the agent's active policy. The first rule that names a field decides. Without one a field that was published at registration is public, and any other needs the owner's approval. A policy ends with the seal epoch it was set in.",
  request: { headers: IdempotencyHeaders, body: jsonBody(SetPolicySchema) },
  responses: {
    201: {
      description: "It decides from now on.",
      content: { "application/json": { schema: SetPolicyAnswer } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
    ),
  },
});

const listPolicies = createRoute({
  method: "get",
  path: "/disclose/policy/{tokenId}",
  operationId: "listDisclosurePolicies",
  tags: ["Selective disclosure"],
  summary: "An agent's disclosure policies, for itself and its owner",
  request: { params: z.object({ tokenId: TokenIdParam }) },
  responses: {
    200: {
      description:
        "The 20 newest of the present seal epoch, the active one first. At most one is active.",
      content: {
        "application/json": {
          schema: z
            .object({
              ...AgentIdsAnswer,
              policies: z.array(PolicyAnswer),
            })
            .openapi("DisclosurePolicies"),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "BURNED"),
  },
});

const endPolicy = createRoute({
  method: "post",
  path: "/disclose/policy/{policyId}/deactivate",
  operationId: "endDisclosurePolicy",
  tags: ["Selective disclosure"],
  summary: "Deactivate a disclosure policy",
  description:
    "Without an active policy every field that was not published needs the owner's approval. Doing it again changes nothing.",
  request: {
    headers: IdempotencyHeaders,
    params: z.object({ policyId: z.uuid() }),
    body: jsonBody(z.strictObject({ tokenId: TokenIdSchema })),
  },
  responses: {
    200: {
      description: "The policy, which decides nothing any more.",
      content: { "application/json": { schema: PolicyAnswer } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "NOT_FOUND",
      "BURNED",
      "SUSPENDED",
    ),
  },
});

export interface PolicyRouteDeps {
  readonly disclosurePolicies: Policies;
}

/** `/disclose/policy`. */
export const policyRoutes = ({ disclosurePolicies: policies }: PolicyRouteDeps) =>
  createRouter(operations)
    .openapi(setPolicy, async (c) => {
      const { tokenId, policy } = c.req.valid("json");
      await authorise(c, tokenId);
      const { set, passportId } = await policies.set(
        c.get("caller"),
        tokenId,
        policy,
        c.get("operationKey"),
      );
      return c.json(
        {
          policyId: set.id,
          ...agentIds({ tokenId, passportId }),
          policyName: set.policy.name,
          rulesCount: set.policy.rules.length,
          createdAt: set.createdAt.toISOString(),
        },
        201,
      );
    })
    .openapi(listPolicies, async (c) => {
      const { tokenId } = c.req.valid("param");
      await authorise(c, tokenId);
      const listed = await policies.list(c.get("caller"), tokenId);
      return c.json(
        {
          ...agentIds({ tokenId, passportId: listed.passportId }),
          policies: listed.policies.map(policyBody),
        },
        200,
      );
    })
    .openapi(endPolicy, async (c) => {
      const { policyId } = c.req.valid("param");
      const { tokenId } = c.req.valid("json");
      await authorise(c, tokenId);
      return c.json(policyBody(await policies.end(c.get("caller"), tokenId, policyId)), 200);
    });

function policyBody({ id, policy, createdAt, endedAt }: StoredPolicy) {
  const { name, preferredMode, defaultExpiry, rules } = policy;
  return {
    policyId: id,
    name,
    preferredMode,
    defaultExpiry,
    rules: rules.map((rule) => ({
      fields: [...rule.fields],
      condition: rule.condition,
      minTrustLevel: rule.minTrustLevel,
      allowedDids: rule.allowedDids === undefined ? undefined : [...rule.allowedDids],
      mode: rule.mode,
      note: rule.note,
    })),
    active: endedAt === null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
