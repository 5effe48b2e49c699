import { z } from "@hono/zod-openapi";
import type { OffChainMessage } from "../../../protocol/index.ts";
import { OFF_CHAIN_TYPES } from "../../../protocol/index.ts";
import { messageShape } from "../../operations/schemas.ts";
import {
  AgentIdsAnswer,
  Hex32Schema,
  IdAnswer,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";

/** The body of `POST /v1/typed-data/validate`. */
export const PrepareValidationSchema = z
  .strictObject({ tokenId: TokenIdSchema })
  .openapi("Validation");

const { message, signature, signer } = messageShape<OffChainMessage<"ValidateAgent">>(
  "ValidateAgent",
  OFF_CHAIN_TYPES.ValidateAgent,
);

/**
 * The body of `POST /v1/validate/{tokenId}`: with `signature`, `message` and `signer`, or with none
 * of them.
 */
export const ValidationSchema = z
  .strictObject({
    tokenId: TokenIdSchema.optional(),
    message: message.optional(),
    signature: signature.optional(),
    signer: signer.optional(),
  })
  .superRefine((body, context) => {
    const parts = ["signature", "message", "signer"] as const;
    const missing = parts.filter((part) => body[part] === undefined);
    if (missing.length === parts.length) return;
    for (const part of missing) {
      context.addIssue({ code: "custom", path: [part], message: "Missing beside the others" });
    }
  })
  .openapi("SignedValidation");

/** The answer of `POST /v1/validate/{tokenId}`. */
export const ValidatedSchema = z
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
