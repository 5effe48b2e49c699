import { createRoute, z } from "@hono/zod-openapi";
import { dateOf } from "../../kernel/chain-time.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import type { TypedDataOf } from "../../operations/typed-data/typed-data.http.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import { StoppedSchema, StopSchema } from "./schemas.ts";
import type { EmergencyStops, Stopped, StoppedAllowance } from "./stop.ts";

const stopAgent = createRoute({
  method: "post",
  path: "/emergency-stop/{tokenId}",
  operationId: "stopAgent",
  tags: ["API keys"],
  summary: "End all API keys, sessions, webhooks and the allowance of an agent",
  description:
    "With one signature of the owner over the data of `POST /v1/typed-data/emergency-stop`, all four end: the service sends the transaction that ends the allowance. With an owner session, everything but an allowance ends, that session included; the answer holds what the owner signs to end the allowance. Whatever the answer says of the allowance, keys, sessions and webhooks have ended.",
  request: {
    params: z.object({ tokenId: TokenIdParam }),
    headers: IdempotencyHeaders,
    body: jsonBody(StopSchema),
  },
  responses: {
    200: {
      description: "Keys, sessions and webhooks have ended.",
      content: { "application/json": { schema: StoppedSchema } },
    },
    ...errorResponses(...OWNER_OPERATION_ERRORS, "FORBIDDEN", "ALLOWANCE_INACTIVE"),
  },
});

export interface StopRouteDeps {
  readonly emergencyStops: EmergencyStops;
  /** Of what the owner signs to end the allowance, after a stop by a session. */
  readonly typedDataOf: TypedDataOf;
}

/** `/emergency-stop/{tokenId}`. */
export function stopRoutes({ emergencyStops, typedDataOf }: StopRouteDeps) {
  return createRouter(operations).openapi(stopAgent, async (c) => {
    const { tokenId } = c.req.valid("param");
    const body = c.req.valid("json");
    assertSameAgent(tokenId, body.tokenId);
    const { message, signature, signer } = body;
    const stopped =
      message && signature && signer
        ? await emergencyStops.stopBySignature(
            tokenId,
            { message, signature, signer },
            requesterOf(c),
          )
        : await emergencyStops.stopBySession(tokenId, c.get("caller"));
    return c.json(await answer(stopped), 200);
  });

  async function answer(stopped: Stopped) {
    const { agentName, stoppedAt, allowance, apiKeys, sessions, webhooks } = stopped;
    return {
      ...agentIds(stopped),
      agentName,
      stoppedAt: stoppedAt.toISOString(),
      ended: { apiKeys, sessions, webhooks },
      allowance: await allowanceAnswer(allowance),
    };
  }

  async function allowanceAnswer(allowance: StoppedAllowance) {
    const { status } = allowance;
    const isEnded = status === "ended";
    const prepared = status === "signature_required" ? allowance.prepared : null;
    return {
      status,
      deactivatedAt: isEnded ? dateOf(allowance.endedAt).toISOString() : null,
      txHash: isEnded ? allowance.txHash : null,
      typedData: prepared && (await typedDataOf(prepared)),
    };
  }
}
