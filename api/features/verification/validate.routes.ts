import { createRoute, z } from "@hono/zod-openapi";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { agentIds, idNumber, TokenIdParam } from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import { operations } from "./operation-rules.ts";
import { ValidatedSchema, ValidationSchema } from "./validation.schemas.ts";
import { VALIDATION_TAG, type ValidationService } from "./validation.ts";

export interface ValidateRouteDeps {
  readonly validations: ValidationService;
}

const validate = createRoute({
  method: "post",
  path: "/validate/{tokenId}",
  operationId: "validateAgent",
  tags: ["Verification"],
  summary: "Write the result of an agent's verification into the ERC-8004 validation registry",
  description:
    "With the agent's API key or its owner's session, or with the EIP-712 signature of the passport's owner (`signature`, `message`, `signer`). The passport's owner requests the validation from the registry first: until then `APPROVAL_REQUIRED` holds the transaction. An unchanged response is written again once a day at most; in between, the last response is returned.",
  request: {
    headers: IdempotencyHeaders,
    params: z.object({ tokenId: TokenIdParam }),
    body: jsonBody(ValidationSchema),
  },
  responses: {
    200: {
      description: "The response that is on chain.",
      content: { "application/json": { schema: ValidatedSchema } },
    },
    ...errorResponses(
      ...([...TYPED_DATA_ERRORS, "UNAUTHORIZED", "FULL_KEY_REQUIRED", "FORBIDDEN"] as const),
      ...(["NOT_OWNER", "APPROVAL_REQUIRED", "INVALID_SIGNATURE", "NONCE_EXPIRED"] as const),
      ...(["NONCE_USED", "WALLET_NOT_DEPLOYED", "IDEMPOTENCY_CONFLICT"] as const),
      ...(["GAS_BUDGET_EXHAUSTED", "REGISTRY_PENDING"] as const),
    ),
  },
});

/** `/validate`. */
export function validateRoutes({ validations }: ValidateRouteDeps) {
  const routes = createRouter(operations);

  routes.openapi(validate, async (c) => {
    const { tokenId } = c.req.valid("param");
    const { tokenId: tokenIdOfBody, message, signature, signer } = c.req.valid("json");
    assertSameAgent(tokenId, tokenIdOfBody);
    const done = await validations.validate(
      tokenId,
      message && signature && signer
        ? { kind: "owner", evidence: { message, signature, signer } }
        : { kind: "caller", caller: c.get("caller") },
      requesterOf(c),
    );
    c.header(INDEXED_BLOCK_HEADER, done.indexedBlock.toString());
    return c.json(
      {
        agentId: idNumber(done.passportId),
        ...agentIds({ tokenId, passportId: done.passportId }),
        requestHash: done.requestHash,
        response: done.response,
        tag: VALIDATION_TAG,
        validationTxHash: done.txHash,
        validatedAt: done.validatedAt.toISOString(),
      },
      200,
    );
  });
  return routes;
}
