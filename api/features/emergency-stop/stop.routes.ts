import { dateOf } from "../../kernel/chain-time.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import type { TypedDataOf } from "../../operations/typed-data/typed-data.http.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { agentWrite } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { agentIds, TokenIdParam } from "../../platform/http/schemas.ts";
import { StoppedSchema, StopSchema } from "./schemas.ts";
import type { EmergencyStops, StoppedAllowance } from "./stop.ts";

interface StopParts {
  readonly emergencyStops: EmergencyStops;
  /** Of what the owner signs to end the allowance, after a stop by a session. */
  readonly typedDataOf: TypedDataOf;
}

export const stopAgent = endpoint({
  operationId: "stopAgent",
  rules: { ...agentWrite, access: "session-or-signature", typedData: "emergency-stop" },
  method: "post",
  path: "/emergency-stop/{tokenId}",
  tag: "API keys",
  summary: "End all API keys, sessions, webhooks and the allowance of an agent",
  description:
    "With one signature of the owner over the data of `POST /v1/typed-data/emergency-stop`, all four end: the service sends the transaction that ends the allowance. With an owner session, everything but an allowance ends, that session included; the answer holds what the owner signs to end the allowance. Whatever the answer says of the allowance, keys, sessions and webhooks have ended.",
  params: { tokenId: TokenIdParam },
  body: StopSchema,
  done: "Keys, sessions and webhooks have ended.",
  answer: StoppedSchema,
  errors: [...OWNER_OPERATION_ERRORS, "FORBIDDEN", "ALLOWANCE_INACTIVE"],
  async run({ tokenId, body }, { emergencyStops, typedDataOf }: StopParts, c) {
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
    const { agentName, stoppedAt, allowance, apiKeys, sessions, webhooks } = stopped;
    return {
      ...agentIds(stopped),
      agentName,
      stoppedAt: stoppedAt.toISOString(),
      ended: { apiKeys, sessions, webhooks },
      allowance: await allowanceAnswer(allowance, typedDataOf),
    };
  },
});

async function allowanceAnswer(allowance: StoppedAllowance, typedDataOf: TypedDataOf) {
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
