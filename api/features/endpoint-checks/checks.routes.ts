import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../platform/http/router.ts";
import { agentIds, NameOrTokenIdParam, TimestampSchema } from "../../platform/http/schemas.ts";
import type { EndpointChecks } from "./build.ts";
import { CheckRequestedSchema, checksBody, EndpointChecksSchema } from "./schemas.ts";

interface CheckParts {
  readonly endpointChecks: EndpointChecks;
}

const ofAgent = {
  path: "/endpoint-checks/{name}",
  tag: "Endpoint checks",
  params: { name: NameOrTokenIdParam },
  errors: AGENT_READ_ERRORS,
} as const;

export const requestEndpointCheck = endpoint({
  ...ofAgent,
  operationId: "requestEndpointCheck",
  // Public. All that it writes is when the agent is checked next.
  rules: { ...publicRead, effect: "writes", rate: "write", cache: "never", origins: "own" },
  method: "post",
  summary: "Have an agent's endpoints checked",
  description:
    "Anyone may ask. The check begins at once, or 15 minutes after the last one began. Its result is at `GET /v1/endpoint-checks/{name}`.",
  status: 202,
  done: "The check is queued.",
  answer: CheckRequestedSchema,
  async run({ name }, { endpointChecks }: CheckParts) {
    const { agentName, checkAt, ...ids } = await endpointChecks.request(name);
    return { agentName, ...agentIds(ids), checkAt: checkAt.toISOString() };
  },
});

export const getEndpointChecks = endpoint({
  ...ofAgent,
  operationId: "getEndpointChecks",
  // A check can end at any time: a copy is always revalidated.
  rules: { ...publicRead, cache: "revalidate" },
  method: "get",
  summary: "Whether an agent's endpoints answer, its grade, and what to mend",
  description:
    "The last check, signed by the service, and how often each state was seen on each of the last 90 days. Grade and fixes follow from that check and from the index as it is now.",
  query: {
    before: TimestampSchema.optional().openapi({
      description: "The last check that began before this time, instead of the newest.",
    }),
  },
  waitsForBlock: true,
  done: "The last check; `checkedAt` is null before the first one.",
  answer: EndpointChecksSchema,
  async run({ name, before }, { endpointChecks }: CheckParts, c) {
    const time = before === undefined ? null : new Date(before);
    const { at, value } = await endpointChecks.of(name, time);
    reflectsBlock(c, at);
    if (value.validity === "valid") aboutValidSeal(c);
    return checksBody(value);
  },
});
