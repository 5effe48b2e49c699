import { createRoute, z } from "@hono/zod-openapi";
import { authorise } from "../http/guard.ts";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import { createRouter, errorResponses, jsonBody } from "../http/router.ts";
import { IdAnswer, idNumber, TimestampSchema, TokenIdSchema } from "../http/schemas.ts";
import type { KeyRotation } from "../services/key-rotation.ts";
import { MAX_GRACE_SECONDS } from "../services/key-rotation.ts";

const rotateKeys = createRoute({
  method: "post",
  path: "/keys/rotate",
  operationId: "rotateKeys",
  tags: ["API keys"],
  summary: "Exchange an agent's API keys for a new one",
  description:
    "For the agent's owner, signed in with the owner's wallet. Send an `Idempotency-Key`, so that the answer can be read again after a lost connection.",
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z.strictObject({
        tokenId: TokenIdSchema,
        graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0).openapi({
          description:
            "How long the keys of before go on working. A grace that already runs is never prolonged.",
        }),
      }),
    ),
  },
  responses: {
    200: {
      description: "The new key works at once.",
      content: {
        "application/json": {
          schema: z
            .object({
              tokenId: IdAnswer,
              apiKey: z.string().openapi({
                description: "Shown once, and again only to the same Idempotency-Key.",
              }),
              previousKeysValidUntil: TimestampSchema,
            })
            .openapi("RotatedKey"),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "UNSUPPORTED_MEDIA_TYPE"),
  },
});

/** `POST /keys/rotate`. */
export const keyRoutes = ({ keyRotation }: { readonly keyRotation: KeyRotation }) =>
  createRouter().openapi(rotateKeys, async (c) => {
    const request = c.req.valid("json");
    await authorise(c, request.tokenId);
    const rotated = await keyRotation.rotate(request, c.get("operationKey"));
    return c.json(
      {
        tokenId: idNumber(rotated.tokenId),
        apiKey: rotated.apiKey,
        previousKeysValidUntil: rotated.previousKeysValidUntil.toISOString(),
      },
      200,
    );
  });
