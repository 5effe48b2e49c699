import { createRoute, z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import { KEY_USES, MAX_AGENT_KEYS } from "../../../protocol/index.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { MinBlockQuery, minBlock, reflectsBlock } from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../platform/http/router.ts";
import { AddressSchema, NameOrTokenIdParam } from "../../platform/http/schemas.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
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

export interface KeySetRouteDeps {
  readonly keySets: KeySets;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/agents/{name}/jwks.json`. */
export function keySetRoutes(deps: KeySetRouteDeps) {
  const { keySets, index, indexerWaitMs } = deps;

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

  return createRouter(operations).openapi(getKeySet, async (c) => {
    const { at, value } = await keySets.of(c.req.valid("param").name);
    reflectsBlock(c, at);
    aboutValidSeal(c);
    // The archived text itself: another serialization would have another hash.
    const answer = c.body(value.json, 200, { "Content-Type": MEDIA_TYPE });
    return answer as unknown as Response & TypedResponse<z.output<typeof KeySet>, 200, "json">;
  });
}
