import { createRoute, z } from "@hono/zod-openapi";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import { IdAnswer, idNumber } from "../../platform/http/schemas.ts";
import type { KeyVerification } from "./key-verification.ts";
import { operations } from "./operation-rules.ts";
import { TierSchema } from "./schemas.ts";

const KeyAnswer = z
  .union([
    z.object({
      valid: z.literal(true),
      agentName: z.string(),
      tokenId: IdAnswer,
      tier: TierSchema,
      humanVerified: z.boolean(),
      erc8004AgentId: IdAnswer,
    }),
    z.object({ valid: z.literal(false) }),
  ])
  .openapi("KeyVerification");

const postVerifyKey = createRoute({
  method: "post",
  path: "/auth/verify-key",
  operationId: "verifyApiKey",
  tags: ["Sign-in"],
  summary: "Whose API key this is, for services that agents present it to",
  request: { body: jsonBody(z.strictObject({ apiKey: z.string() })) },
  responses: {
    200: {
      description:
        "`valid: false` alone for anything that is not the full key of an agent now: unknown, provisional, revoked, of a burned soul, or of one whose passport has moved.",
      content: { "application/json": { schema: KeyAnswer } },
    },
    ...errorResponses(
      "INVALID_REQUEST",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

/** API keys, for services that were given one. Public: the key is the credential. */
export const verifyKeyRoutes = ({ apiKeys }: { readonly apiKeys: KeyVerification }) =>
  createRouter(operations).openapi(postVerifyKey, async (c) => {
    const key = await apiKeys.verify(c.req.valid("json").apiKey);
    if (key === null) return c.json({ valid: false as const }, 200);
    return c.json(
      {
        valid: true as const,
        agentName: key.agentName,
        tokenId: idNumber(key.tokenId),
        tier: key.tier,
        humanVerified: key.humanVerified,
        erc8004AgentId: idNumber(key.agentId),
      },
      200,
    );
  });
