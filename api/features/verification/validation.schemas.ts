import { z } from "@hono/zod-openapi";
import { AgentIdsAnswer, Hex32Schema, IdAnswer } from "../../platform/http/schemas.ts";

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
