import { z } from "@hono/zod-openapi";
import { endpoint } from "../../platform/endpoint.ts";
import { authorise } from "../../platform/http/guard.ts";
import { agentRead, agentWrite } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  agentIds,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import type { StoredPolicy, WithDisclosure } from "./context.ts";
import { endPolicy, listPolicies, setPolicy } from "./policies.ts";
import { PolicyAnswer, SetPolicyAnswer, SetPolicySchema } from "./schemas.ts";

const common = { tag: "Selective disclosure", errors: ["NOT_FOUND", "BURNED"] } as const;

export const setDisclosurePolicy = endpoint({
  ...common,
  operationId: "setDisclosurePolicy",
  rules: agentWrite,
  method: "post",
  path: "/disclose/policy",
  summary: "Say who may receive which fields",
  description:
    "Replaces the agent's active policy. The first rule that names a field decides. Without one a field that was published at registration is public, and any other needs the owner's approval. A policy ends with the seal epoch it was set in.",
  body: SetPolicySchema,
  status: 201,
  done: "It decides from now on.",
  answer: SetPolicyAnswer,
  async run({ body: { tokenId, policy } }, { disclosure }: WithDisclosure, c) {
    await authorise(c, tokenId);
    const { stored, passportId } = await setPolicy(
      disclosure,
      c.get("caller"),
      tokenId,
      policy,
      c.get("operationKey"),
    );
    return {
      policyId: stored.id,
      ...agentIds({ tokenId, passportId }),
      policyName: stored.policy.name,
      rulesCount: stored.policy.rules.length,
      createdAt: stored.createdAt.toISOString(),
    };
  },
});

export const listDisclosurePolicies = endpoint({
  ...common,
  operationId: "listDisclosurePolicies",
  rules: agentRead,
  method: "get",
  path: "/disclose/policy/{tokenId}",
  params: { tokenId: TokenIdParam },
  summary: "An agent's disclosure policies, for itself and its owner",
  done: "The 20 newest of the present seal epoch, the active one first. At most one is active.",
  answer: z
    .object({ ...AgentIdsAnswer, policies: z.array(PolicyAnswer) })
    .openapi("DisclosurePolicies"),
  async run({ tokenId }, { disclosure }: WithDisclosure, c) {
    await authorise(c, tokenId);
    const { passportId, policies } = await listPolicies(disclosure, c.get("caller"), tokenId);
    return { ...agentIds({ tokenId, passportId }), policies: policies.map(policyBody) };
  },
});

export const endDisclosurePolicy = endpoint({
  ...common,
  operationId: "endDisclosurePolicy",
  rules: agentWrite,
  method: "post",
  path: "/disclose/policy/{policyId}/deactivate",
  params: { policyId: z.uuid() },
  summary: "Deactivate a disclosure policy",
  description:
    "Without an active policy every field that was not published needs the owner's approval. Doing it again changes nothing.",
  body: z.strictObject({ tokenId: TokenIdSchema }),
  done: "The policy, which decides nothing any more.",
  answer: PolicyAnswer,
  async run({ policyId, body: { tokenId } }, { disclosure }: WithDisclosure, c) {
    await authorise(c, tokenId);
    return policyBody(await endPolicy(disclosure, c.get("caller"), tokenId, policyId));
  },
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
