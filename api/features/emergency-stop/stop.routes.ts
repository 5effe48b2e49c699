import { createRoute, z } from "@hono/zod-openapi";
import { dateOf } from "../../kernel/chain-time.ts";
import type { PreparedMessage } from "../../operations/engine.ts";
import { OWNER_OPERATION_ERRORS, TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import type { SigningDomains } from "../../operations/signing-domains.ts";
import { TypedDataSchema, typedDataText } from "../../operations/typed-data.schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { idNumber, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import { PrepareStopSchema, StoppedSchema, StopSchema } from "./schemas.ts";
import type { EmergencyStops, Stopped, StoppedAllowance } from "./stop.ts";

const tags = ["API keys"];

const prepareEmergencyStop = createRoute({
  method: "post",
  path: "/typed-data/emergency-stop",
  operationId: "prepareEmergencyStop",
  tags,
  summary: "The EIP-712 data that an owner signs to stop an agent",
  description:
    "`DeactivateAllowance` of the allowance vault while the agent has an allowance, with a nonce that marks a stop. Else `EmergencyStop`, which no contract accepts. Nothing is stored.",
  request: { body: jsonBody(PrepareStopSchema) },
  responses: {
    200: {
      description: "What `POST /v1/emergency-stop/{tokenId}` takes.",
      content: { "application/json": { schema: TypedDataSchema } },
    },
    ...errorResponses(...TYPED_DATA_ERRORS, "FORBIDDEN"),
  },
});

const stopAgent = createRoute({
  method: "post",
  path: "/emergency-stop/{tokenId}",
  operationId: "stopAgent",
  tags,
  summary: "End all API keys, sessions, webhooks and the allowance of an agent",
  description:
    "With one signature of the owner over the data of `POST /v1/typed-data/emergency-stop`, all of it ends: the service sends the transaction that ends the allowance. With an owner session, everything but an allowance ends, that session included; the answer holds what the owner signs to end the allowance. Whatever the answer says of the allowance, keys, sessions and webhooks have ended.",
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
  readonly stopDomains: SigningDomains;
}

/** `/emergency-stop/{tokenId}`, and what is signed for it. */
export function stopRoutes({ emergencyStops, stopDomains: domains }: StopRouteDeps) {
  const typedData = ({ contract, primaryType, message }: PreparedMessage) => {
    if (contract === "Stablecoin") throw new Error("A stop needs no permit.");
    return typedDataText(domains.typedData(contract, primaryType, message));
  };

  return createRouter(operations)
    .openapi(prepareEmergencyStop, async (c) => {
      const { tokenId } = c.req.valid("json");
      return c.json(typedData(await emergencyStops.prepare(tokenId)), 200);
    })
    .openapi(stopAgent, async (c) => {
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
      return c.json(answer(stopped), 200);
    });

  function answer({ tokenId, agentName, stoppedAt, allowance, ...ended }: Stopped) {
    const { apiKeys, sessions, webhooks } = ended;
    return {
      tokenId: idNumber(tokenId),
      agentName,
      stoppedAt: stoppedAt.toISOString(),
      ended: { apiKeys, sessions, webhooks },
      allowance: allowanceAnswer(allowance),
    };
  }

  function allowanceAnswer(allowance: StoppedAllowance) {
    const { status } = allowance;
    const isEnded = status === "ended";
    const prepared = status === "signature_required" ? allowance.prepared : null;
    return {
      status,
      deactivatedAt: isEnded ? dateOf(allowance.endedAt).toISOString() : null,
      txHash: isEnded ? allowance.txHash : null,
      typedData: prepared && typedData(prepared),
    };
  }
}
