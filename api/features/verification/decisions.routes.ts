import { z } from "@hono/zod-openapi";
import { settledDecision } from "../../operations/decisions/settled-decision.routes.ts";
import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { INDEXED_BLOCK_HEADER } from "../../platform/http/indexed-block.ts";
import {
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  IdAnswer,
  idNumber,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { VALIDATION_TAG, type ValidationService } from "./validation.ts";

/** The answer of `POST /v1/validate/{tokenId}`. */
const ValidatedSchema = z
  .object({
    agentId: IdAnswer,
    ...AgentIdsAnswer,
    requestHash: Hex32Schema.openapi({ description: "Of the request that was answered." }),
    response: z.union([z.literal(100), z.literal(50), z.literal(0)]).openapi({
      description:
        "100: every check passed. 50: every check passed, but the archive did not answer. 0: a check failed, or the verification is suspended.",
    }),
    tag: z.literal("svc-soul-verified"),
    validationTxHash: Hex32Schema,
    validatedAt: z.iso.datetime(),
  })
  .openapi("ValidatedAgent");

export const validation = settledDecision({
  path: "validate",
  route: "/validate/{tokenId}",
  tag: "Verification",
  prepare: {
    operationId: "prepareValidation",
    summary: "The EIP-712 data that an owner signs to have an agent validated",
  },
  perform: {
    operationId: "validateAgent",
    summary: "Write the result of an agent's verification into the ERC-8004 validation registry",
    description:
      "With the agent's API key or its owner's session, or with the EIP-712 signature of the passport's owner (`signature`, `message`, `signer`). The passport's owner requests the validation from the registry first: until then `APPROVAL_REQUIRED` holds the transaction. An unchanged response is written again once a day at most; in between, the last response is returned.",
    done: "The response that is on chain.",
    errors: [
      ...([...TYPED_DATA_ERRORS, "UNAUTHORIZED", "FULL_KEY_REQUIRED", "FORBIDDEN"] as const),
      ...(["NOT_OWNER", "APPROVAL_REQUIRED", "INVALID_SIGNATURE", "NONCE_EXPIRED"] as const),
      ...(["NONCE_USED", "WALLET_NOT_DEPLOYED", "IDEMPOTENCY_CONFLICT"] as const),
      ...(["GAS_BUDGET_EXHAUSTED", "REGISTRY_PENDING"] as const),
    ],
  },
  messageName: "ValidateAgent",
  schemaName: "Validation",
  shape: { tokenId: TokenIdSchema },
  rules: { access: "agent-or-signature", console: true },
  answer: ValidatedSchema,
  errors: ["FORBIDDEN", "REGISTRY_PENDING"],
  operation: ({ validations }: { readonly validations: ValidationService }) => validations.signed,
  request: ({ tokenId }) => tokenId,
  byCaller: (tokenId, { validations }, caller, { network }) =>
    validations.byCaller(tokenId, caller, network),
  answerOf: ({ passportId, ...done }, tokenId, { c }) => {
    c.header(INDEXED_BLOCK_HEADER, done.indexedBlock.toString());
    return {
      agentId: idNumber(passportId),
      ...agentIds({ tokenId, passportId }),
      requestHash: done.requestHash,
      response: done.response,
      tag: VALIDATION_TAG,
      validationTxHash: done.txHash,
      validatedAt: done.validatedAt.toISOString(),
    };
  },
});
