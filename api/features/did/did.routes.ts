import { z } from "@hono/zod-openapi";
import { KEY_USES, MAX_AGENT_KEYS } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { noStore } from "../../platform/http/headers.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { publicRead } from "../../platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../platform/http/router.ts";
import { AddressSchema, NameOrTokenIdParam, TimestampSchema } from "../../platform/http/schemas.ts";
import { type DidDocuments, type DidResolution, resolveDid } from "./documents.ts";
import type { KeySets } from "./key-sets.ts";
import { DID_TYPES, didTypeOf, isResolutionType, RESOLUTION_RULES } from "./resolution.http.ts";
import { DidDocumentAnswer, ReferenceParam } from "./schemas.ts";

const KEY_SET_TYPE = "application/jwk-set+json";

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

const Resolution = z
  .object({
    didDocument: DidDocumentAnswer,
    didResolutionMetadata: z.object({ contentType: z.string() }),
    didDocumentMetadata: z.object({
      created: TimestampSchema.optional(),
      deactivated: z.literal(true).optional(),
      versionId: z.string().optional(),
      nextVersionId: z.string().optional(),
    }),
  })
  .openapi("DidResolution");

const DONE = "The document as last indexed. A burned agent's names no account.";

export const getDidDocument = endpoint({
  operationId: "getDidDocument",
  rules: RESOLUTION_RULES,
  method: "get",
  path: "/did/{name}",
  tag: "DID",
  summary: "The DID document of an agent",
  description:
    "A name or a DID of this chain; `agent-<id>` is a passport's own. `Accept: application/did-resolution` (or `application/did-resolution+json`) asks for the document with its metadata: `deactivated` after a burn, with status 410, and `versionId` of the archived record. Errors are resolution results then, too.",
  params: { name: ReferenceParam },
  query: {
    versionId: z.string().max(64).optional().openapi({
      description:
        "An archived version of the present epoch, by its storage id; owner, operator and services are those of now.",
    }),
  },
  waitsForBlock: true,
  done: DONE,
  answer: DidDocumentAnswer,
  otherAnswers: {
    200: {
      description: DONE,
      content: {
        "application/json": { schema: DidDocumentAnswer },
        "application/did+ld+json": { schema: DidDocumentAnswer },
        "application/did+json": { schema: DidDocumentAnswer },
        "application/did": { schema: DidDocumentAnswer },
        "application/did-resolution": { schema: Resolution },
        "application/did-resolution+json": { schema: Resolution },
      },
    },
    410: {
      description: "The resolution result of a burned agent: `deactivated` is true.",
      content: { "application/did-resolution": { schema: Resolution } },
    },
  },
  errors: [...AGENT_READ_ERRORS, "NOT_ACCEPTABLE", "STORAGE_UNAVAILABLE"],
  async run({ name, versionId }, { dids }: { readonly dids: DidDocuments }, c) {
    c.header("Vary", "Accept", { append: true });
    const type = didTypeOf(c);
    if (type === null) throw new ApiError("NOT_ACCEPTABLE", { details: { types: DID_TYPES } });
    const { at, value } = await resolveDid(dids, name, versionId);
    reflectsBlock(c, at, "same");
    if (value.isValid) aboutValidSeal(c);
    if (type === "application/json") return value.document;
    const isResult = isResolutionType(type);
    const body = JSON.stringify(isResult ? resolutionBody(value) : value.document);
    const isGone = isResult && value.metadata.deactivated === true;
    if (isGone) noStore(c);
    return c.body(body, isGone ? 410 : 200, { "Content-Type": type });
  },
});

const KEY_SET_DONE = "The archived key set, in canonical JSON (RFC 8785).";

export const getAgentKeySet = endpoint({
  operationId: "getAgentKeySet",
  rules: { ...publicRead, cache: "verification" },
  method: "get",
  path: "/agents/{name}/jwks.json",
  tag: "DID",
  summary: "The public keys that speak for an agent, as a JWK set",
  description:
    "Exactly the bytes whose SHA-256 the contract AgentKeys answers as `keysOf(tokenId)`: hash what you received and compare. Keys that ended are in it: look at `exp`. 404 when the owner set none, and while the soul is not valid.",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  done: KEY_SET_DONE,
  answer: KeySet,
  otherAnswers: {
    200: { description: KEY_SET_DONE, content: { [KEY_SET_TYPE]: { schema: KeySet } } },
  },
  errors: [...AGENT_READ_ERRORS, "STORAGE_UNAVAILABLE"],
  async run({ name }, { keySets }: { readonly keySets: KeySets }, c) {
    const { at, value } = await keySets.of(name);
    reflectsBlock(c, at);
    aboutValidSeal(c);
    // The archived text itself: another serialization would have another hash.
    return c.body(value.json, 200, { "Content-Type": KEY_SET_TYPE });
  },
});

function resolutionBody({ document, metadata }: DidResolution): z.input<typeof Resolution> {
  return {
    didDocument: document,
    didResolutionMetadata: { contentType: "application/did+ld+json" },
    didDocumentMetadata: { ...metadata, created: metadata.created?.toISOString() },
  };
}
