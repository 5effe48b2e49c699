import { z } from "@hono/zod-openapi";
import { bearerCredential } from "../../kernel/access.ts";
import { ApiError } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { authorise, credentialOf, unlessEnded } from "../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../platform/http/lists/cursors.ts";
import { limitParam } from "../../platform/http/lists/pages.ts";
import { agentRead, agentWrite, signIn } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  agentIds,
  IdAnswer,
  idNumber,
  TimestampSchema,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import type { BuiltKeys } from "./build.ts";
import { KeySchema, keyAnswer } from "./schemas.ts";

/** Keys of one page. */
const MAX_KEYS = 100;

/** Longest time in seconds that the keys before a rotation can go on working. */
const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

const SHOWN_ONCE = "Shown once, and again only to the same Idempotency-Key.";

export const rotateKeys = endpoint({
  operationId: "rotateKeys",
  rules: { ...agentWrite, access: "session" },
  method: "post",
  path: "/keys/rotate",
  tag: "API keys",
  summary: "Replace all API keys of an agent by a new one",
  description:
    "For the agent's owner, signed in with the owner's wallet. Ends every other key of the agent: the owner's, the agent's own, and the provisional one. The answer lists them. To end one key, use `DELETE /v1/keys/{keyId}`. Send an `Idempotency-Key`, so that the answer can be read again after a lost connection.",
  body: z.strictObject({
    tokenId: TokenIdSchema,
    graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0).openapi({
      description:
        "How long the keys of before go on working. A grace that already runs is never prolonged. A provisional key has none.",
    }),
  }),
  done: "The new key works at once.",
  answer: z
    .object({
      ...AgentIdsAnswer,
      keyId: z.uuid(),
      apiKey: z.string().openapi({ description: SHOWN_ONCE }),
      previousKeysValidUntil: TimestampSchema,
      endedKeys: z.array(KeySchema).openapi({
        description:
          "The keys that this rotation ends at `previousKeysValidUntil`, and a provisional one, which ends at once.",
      }),
    })
    .openapi("RotatedKey"),
  errors: ["NOT_FOUND"],
  async run({ body }, { keyRotation, agentKeys }: BuiltKeys, c) {
    await authorise(c, body.tokenId);
    const rotated = await keyRotation.rotate(body, c.get("operationKey"), credentialOf(c));
    await unlessEnded(c, () => agentKeys.revoke(rotated.keyId));
    return {
      ...agentIds(rotated),
      keyId: rotated.keyId,
      apiKey: rotated.apiKey,
      previousKeysValidUntil: rotated.previousKeysValidUntil.toISOString(),
      endedKeys: rotated.endedKeys.map(keyAnswer),
    };
  },
});

const cursors = listCursors("keys", z.strictObject({ createdAt: TimePart, id: z.uuid() }));

export const listKeys = endpoint({
  operationId: "listKeys",
  rules: { ...agentRead, access: "session" },
  method: "get",
  path: "/keys",
  tag: "API keys",
  summary: "An agent's API keys, without the keys themselves",
  description: "For the agent's owner, signed in with the owner's wallet.",
  query: { tokenId: TokenIdParam, limit: limitParam(MAX_KEYS), cursor: cursors.param },
  done: "Keys of all seal epochs, the newest first. Only those of the present epoch work.",
  answer: z
    .object({ tokenId: IdAnswer, keys: z.array(KeySchema), nextCursor: NextCursor })
    .openapi("ApiKeys"),
  errors: ["NOT_FOUND"],
  async run({ tokenId, limit, cursor }, { agentKeys }: BuiltKeys, c) {
    await authorise(c, tokenId);
    const { entries, next } = await agentKeys.list(tokenId, { limit, after: cursor });
    const keys = entries.map(keyAnswer);
    return { tokenId: idNumber(tokenId), keys, nextCursor: cursors.text(next) };
  },
});

export const revokeKey = endpoint({
  operationId: "revokeKey",
  rules: { ...agentWrite, access: "session", bodyBytes: 0, idempotent: false },
  method: "delete",
  path: "/keys/{keyId}",
  tag: "API keys",
  summary: "End one API key of an agent",
  description:
    "For the agent's owner, signed in with the owner's wallet. The key is refused from the next request on. Doing it again changes nothing.",
  params: { keyId: z.uuid() },
  done: "The key has ended.",
  errors: ["NOT_FOUND"],
  async run({ keyId }, { agentKeys }: BuiltKeys, c) {
    const tokenId = await agentKeys.agentOf(keyId);
    if (tokenId === null) {
      throw new ApiError("NOT_FOUND", { message: "There is no key with this id." });
    }
    await authorise(c, tokenId);
    await agentKeys.revoke(keyId);
  },
});

export const exchangeKey = endpoint({
  operationId: "exchangeKey",
  rules: { ...signIn, access: "provisional-key", idempotent: true },
  method: "post",
  path: "/keys/exchange",
  tag: "API keys",
  summary: "Exchange an agent's provisional key for a full key of its own",
  description:
    "For the agent, with its provisional key as the credential: once, within seven days after its owner has claimed it, unless the owner said `agentKeeps: false`. The provisional key ends. Takes no body. Send an `Idempotency-Key`, so that the answer can be read again after a lost connection.",
  done: "The new key works at once.",
  answer: z
    .object({
      tokenId: IdAnswer,
      agentName: z.string(),
      erc8004AgentId: IdAnswer,
      registrationId: z.string(),
      keyId: z.uuid(),
      apiKey: z.string().openapi({ description: SHOWN_ONCE }),
    })
    .openapi("ExchangedKey"),
  errors: ["NOT_CLAIMED", "BURNED", "GONE", "REGISTRY_PENDING"],
  async run(_input, { keyExchange }: BuiltKeys, c) {
    const credential = bearerCredential(c.req.header("authorization"));
    const exchanged = await keyExchange.exchange(credential, c.get("operationKey"));
    return {
      tokenId: idNumber(exchanged.tokenId),
      agentName: exchanged.agentName,
      erc8004AgentId: idNumber(exchanged.passportId),
      registrationId: exchanged.registrationId,
      keyId: exchanged.keyId,
      apiKey: exchanged.apiKey,
    };
  },
});
