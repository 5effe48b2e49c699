import { createRoute, z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import {
  type AgentKey,
  InvalidKeySetError,
  KEY_USES,
  MAX_AGENT_KEYS,
  publicKeys,
} from "../../../protocol/index.ts";
import { evidenceShape, OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import {
  INDEXED_BLOCK_HEADER,
  MinBlockQuery,
  minBlock,
  reflectsBlock,
} from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  AddressSchema,
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  NameOrTokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { KeySetUpdates } from "./key-set-update.ts";
import type { KeySets } from "./key-sets.ts";
import { operations } from "./operation-rules.ts";

const MEDIA_TYPE = "application/jwk-set+json";

const Jwk = z.object({
  kid: z.string().openapi({ description: "RFC 7638 thumbprint, SHA-256." }),
  kty: z.enum(["EC", "OKP"]),
  crv: z.enum(["P-256", "Ed25519"]),
  x: z.string(),
  y: z.string().optional().openapi({ description: "Of a P-256 key." }),
  use: z.enum(KEY_USES),
  exp: z.int().openapi({ description: "The key's end, in Unix seconds." }),
});

const KeySet = z
  .object({
    agent: z
      .object({ chainId: z.int(), soulRegistry: AddressSchema, tokenId: z.string() })
      .optional()
      .openapi({
        description: "The agent that the keys are of. Sets that were stored earlier name none.",
      }),
    keys: z.array(Jwk).min(1).max(MAX_AGENT_KEYS),
  })
  .openapi("AgentKeySet");

/** The keys of a request in their canonical order; null for an empty list, which withdraws them. */
const KeysInput = z
  .array(z.unknown())
  .transform((keys, context): readonly AgentKey[] | null => {
    if (keys.length === 0) return null;
    try {
      return publicKeys(keys);
    } catch (error) {
      if (!(error instanceof InvalidKeySetError)) throw error;
      const [, index, member] = /^keys\[(\d+)\](?:\.(.+))?$/.exec(error.path) ?? [];
      const path = [index === undefined ? undefined : Number(index), member].filter(
        (part) => part !== undefined,
      );
      context.addIssue({ code: "custom", path, message: capitalized(error.reason) });
      return z.NEVER;
    }
  })
  .openapi({
    type: "array",
    maxItems: MAX_AGENT_KEYS,
    items: {
      type: "object",
      required: ["kty", "crv", "x", "use", "exp"],
      properties: {
        kty: { type: "string", enum: ["EC", "OKP"] },
        crv: { type: "string", enum: ["P-256", "Ed25519"] },
        x: { type: "string" },
        y: { type: "string" },
        use: { type: "string", enum: [...KEY_USES] },
        exp: { type: "integer" },
        kid: { type: "string" },
      },
    },
    description:
      "Public JWKs in any order; `kid` may be left out. An empty list withdraws the agent's keys.",
  });

const OnlyWithAgentWallet = z.boolean().default(false).openapi({
  description:
    "Whether the keys need the passport's `agentWallet` to be the operator: every transfer of the passport clears it. Each change sets this anew.",
});

const ChangeShape = {
  tokenId: TokenIdSchema,
  keys: KeysInput,
  onlyWithAgentWallet: OnlyWithAgentWallet,
};

export const KeySetChangeBody = z.strictObject(ChangeShape).openapi("AgentKeysChange");
const SignedChangeBody = z
  .strictObject({ ...ChangeShape, ...evidenceShape("SetAgentKeys") })
  .openapi("SignedAgentKeysChange");

const Updated = z
  .object({
    ...AgentIdsAnswer,
    agentName: z.string(),
    totalKeys: z.int().min(0),
    keysHash: Hex32Schema.nullable().openapi({
      description:
        "What `AgentKeys.keysOf(tokenId)` answers while the soul is valid; null once withdrawn.",
    }),
    onlyWithAgentWallet: z.boolean().openapi({
      description: "Whether the keys need the passport's `agentWallet` to be the operator.",
    }),
    arweaveTxId: z.string().nullable().openapi({ description: "Where the key set is stored." }),
    txHash: Hex32Schema,
  })
  .openapi("AgentKeysUpdated");

export interface KeySetRouteDeps {
  readonly keySets: KeySets;
  readonly keySetUpdates: KeySetUpdates;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/agents/{name}/jwks.json`. */
export function keySetRoutes(deps: KeySetRouteDeps) {
  const { keySets, keySetUpdates, index, indexerWaitMs } = deps;

  const getKeySet = createRoute({
    method: "get",
    path: "/agents/{name}/jwks.json",
    operationId: "getAgentKeySet",
    tags: ["DID"],
    summary: "The public keys that speak for an agent, as a JWK set",
    description:
      "Exactly the bytes whose SHA-256 the contract AgentKeys answers as `keysOf(tokenId)`: hash what you received and compare. Keys that ended are in it: look at `exp`. 404 when the owner set none, and while the soul is not valid.",
    request: { params: z.object({ name: NameOrTokenIdParam }), query: MinBlockQuery },
    middleware: minBlock(index, indexerWaitMs),
    responses: {
      200: {
        description: "The archived key set, in canonical JSON (RFC 8785).",
        content: { [MEDIA_TYPE]: { schema: KeySet } },
      },
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "NOT_FOUND",
        "STORAGE_UNAVAILABLE",
        "REGISTRY_PENDING",
        "INDEX_BEHIND",
      ),
    },
  });

  const putKeySet = createRoute({
    method: "put",
    path: "/agents/{name}/jwks.json",
    operationId: "updateAgentKeySet",
    tags: ["DID"],
    summary: "Set the public keys that speak for an agent, or withdraw them",
    description:
      "With the owner's signature over `SetAgentKeys`, from `POST /v1/typed-data/agent-keys`. The set is stored first in canonical form; the contract AgentKeys then names its hash. It replaces all keys set before.",
    request: {
      params: z.object({ name: NameOrTokenIdParam }),
      headers: IdempotencyHeaders,
      body: jsonBody(SignedChangeBody),
    },
    responses: {
      200: {
        description: "The keys are in force.",
        content: { "application/json": { schema: Updated } },
      },
      ...errorResponses(...OWNER_OPERATION_ERRORS, "INVALID_NAME"),
    },
  });

  return createRouter(operations)
    .openapi(getKeySet, async (c) => {
      const { at, value } = await keySets.of(c.req.valid("param").name);
      reflectsBlock(c, at);
      aboutValidSeal(c);
      // The archived text itself: another serialization would have another hash.
      const answer = c.body(value.json, 200, { "Content-Type": MEDIA_TYPE });
      return answer as unknown as Response & TypedResponse<z.output<typeof KeySet>, 200, "json">;
    })
    .openapi(putKeySet, async (c) => {
      const { message, signature, signer, tokenId, keys, onlyWithAgentWallet } =
        c.req.valid("json");
      const { result, indexedBlock } = await keySetUpdates.perform(
        { tokenId, agent: c.req.valid("param").name, keys, onlyWithAgentWallet },
        { message, signature, signer },
        requesterOf(c),
      );
      const { name, passportId, totalKeys, keysHash, archiveId, txHash } = result;
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(
        {
          ...agentIds({ tokenId, passportId }),
          agentName: name,
          totalKeys,
          keysHash,
          onlyWithAgentWallet: result.onlyWithAgentWallet,
          arweaveTxId: archiveId,
          txHash,
        },
        200,
      );
    });
}

function capitalized(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}
