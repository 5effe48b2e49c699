import { createRoute, z } from "@hono/zod-openapi";
import { bearerCredential } from "../../kernel/access.ts";
import { ApiError } from "../../kernel/errors.ts";
import { authorise, credentialOf, unlessEnded } from "../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../platform/http/lists/cursors.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  AgentIdsAnswer,
  agentIds,
  IdAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { KeyExchange } from "./exchange.ts";
import type { AgentKeys } from "./keys.ts";
import { operations } from "./operation-rules.ts";
import type { KeyRotation } from "./rotation.ts";
import { MAX_GRACE_SECONDS } from "./rotation.ts";
import { KeySchema, keyAnswer } from "./schemas.ts";

/** Keys of one page. */
const MAX_KEYS = 100;

const rotateKeys = createRoute({
  method: "post",
  path: "/keys/rotate",
  operationId: "rotateKeys",
  tags: ["API keys"],
  summary: "Replace all API keys of an agent by a new one",
  description:
    "For the agent's owner, signed in with the owner's wallet. Ends every other key of the agent: the owner's, the agent's own, and the provisional one. The answer lists them. To end one key, use `DELETE /v1/keys/{keyId}`. Send an `Idempotency-Key`, so that the answer can be read again after a lost connection.",
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z.strictObject({
        tokenId: TokenIdSchema,
        graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0).openapi({
          description:
            "How long the keys of before go on working. A grace that already runs is never prolonged. A provisional key has none.",
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
              ...AgentIdsAnswer,
              keyId: z.uuid(),
              apiKey: z.string().openapi({
                description: "Shown once, and again only to the same Idempotency-Key.",
              }),
              previousKeysValidUntil: TimestampSchema,
              endedKeys: z.array(KeySchema).openapi({
                description:
                  "The keys that this rotation ends at `previousKeysValidUntil`, and a provisional one, which ends at once.",
              }),
            })
            .openapi("RotatedKey"),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND", "UNSUPPORTED_MEDIA_TYPE"),
  },
});

const cursors = listCursors("keys", z.strictObject({ createdAt: TimePart, id: z.uuid() }));

const listKeys = createRoute({
  method: "get",
  path: "/keys",
  operationId: "listKeys",
  tags: ["API keys"],
  summary: "An agent's API keys, without the keys themselves",
  description: "For the agent's owner, signed in with the owner's wallet.",
  request: {
    query: z.object({
      tokenId: TokenIdParam,
      limit: limitParam(MAX_KEYS),
      cursor: cursors.param,
    }),
  },
  responses: {
    200: {
      description:
        "Keys of all seal epochs, the newest first. Only those of the present epoch work.",
      content: {
        "application/json": {
          schema: z
            .object({
              tokenId: IdAnswer,
              keys: z.array(KeySchema),
              nextCursor: NextCursor,
            })
            .openapi("ApiKeys"),
        },
      },
    },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

const revokeKey = createRoute({
  method: "delete",
  path: "/keys/{keyId}",
  operationId: "revokeKey",
  tags: ["API keys"],
  summary: "End one API key of an agent",
  description:
    "For the agent's owner, signed in with the owner's wallet. The key is refused from the next request on. Doing it again changes nothing.",
  request: { params: z.object({ keyId: z.uuid() }) },
  responses: {
    204: { description: "The key has ended." },
    ...errorResponses("INVALID_REQUEST", "NOT_FOUND"),
  },
});

const exchangeKey = createRoute({
  method: "post",
  path: "/keys/exchange",
  operationId: "exchangeKey",
  tags: ["API keys"],
  summary: "Exchange an agent's provisional key for a full key of its own",
  description:
    "For the agent, with its provisional key as the credential: once, within seven days after its owner has claimed it, unless the owner said `agentKeeps: false`. The provisional key ends. Takes no body. Send an `Idempotency-Key`, so that the answer can be read again after a lost connection.",
  request: { headers: IdempotencyHeaders },
  responses: {
    200: {
      description: "The new key works at once.",
      content: {
        "application/json": {
          schema: z
            .object({
              tokenId: IdAnswer,
              agentName: z.string(),
              erc8004AgentId: IdAnswer,
              registrationId: z.string(),
              keyId: z.uuid(),
              apiKey: z.string().openapi({
                description: "Shown once, and again only to the same Idempotency-Key.",
              }),
            })
            .openapi("ExchangedKey"),
        },
      },
    },
    ...errorResponses("NOT_CLAIMED", "BURNED", "GONE", "REGISTRY_PENDING"),
  },
});

export interface KeyRouteDeps {
  readonly keyRotation: KeyRotation;
  readonly keyExchange: KeyExchange;
  readonly agentKeys: AgentKeys;
}

/** `/keys`, `/keys/{keyId}`, `/keys/rotate` and `/keys/exchange`. */
export const keyRoutes = ({ keyRotation, keyExchange, agentKeys }: KeyRouteDeps) =>
  createRouter(operations)
    .openapi(rotateKeys, async (c) => {
      const request = c.req.valid("json");
      await authorise(c, request.tokenId);
      const rotated = await keyRotation.rotate(request, c.get("operationKey"), credentialOf(c));
      await unlessEnded(c, () => agentKeys.revoke(rotated.keyId));
      return c.json(
        {
          ...agentIds(rotated),
          keyId: rotated.keyId,
          apiKey: rotated.apiKey,
          previousKeysValidUntil: rotated.previousKeysValidUntil.toISOString(),
          endedKeys: rotated.endedKeys.map(keyAnswer),
        },
        200,
      );
    })
    .openapi(exchangeKey, async (c) => {
      const credential = bearerCredential(c.req.header("authorization"));
      const exchanged = await keyExchange.exchange(credential, c.get("operationKey"));
      return c.json(
        {
          tokenId: idNumber(exchanged.tokenId),
          agentName: exchanged.agentName,
          erc8004AgentId: idNumber(exchanged.passportId),
          registrationId: exchanged.registrationId,
          keyId: exchanged.keyId,
          apiKey: exchanged.apiKey,
        },
        200,
      );
    })
    .openapi(listKeys, async (c) => {
      const { tokenId, limit, cursor } = c.req.valid("query");
      await authorise(c, tokenId);
      const { entries, next } = await agentKeys.list(tokenId, { limit, after: cursor });
      const keys = entries.map(keyAnswer);
      return c.json({ tokenId: idNumber(tokenId), keys, nextCursor: cursors.text(next) }, 200);
    })
    .openapi(revokeKey, async (c) => {
      const { keyId } = c.req.valid("param");
      const tokenId = await agentKeys.agentOf(keyId);
      if (tokenId === null) {
        throw new ApiError("NOT_FOUND", { message: "There is no key with this id." });
      }
      await authorise(c, tokenId);
      await agentKeys.revoke(keyId);
      return c.body(null, 204);
    });
