import { createRoute, z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import {
  type ChainAddress,
  type DidChange,
  InvalidChainAddressError,
  KEY_TYPES,
  parseAccount,
  parseChainAddress,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { evidenceShape, OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { noStore } from "../../platform/http/headers.ts";
import {
  INDEXED_BLOCK_HEADER,
  MinBlockQuery,
  minBlock,
  reflectsBlock,
} from "../../platform/http/indexed-block.ts";
import { createRouter, errorResponses, jsonBody } from "../../platform/http/router.ts";
import {
  IdAnswer,
  idNumber,
  idNumberOrNull,
  TimestampSchema,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { IdempotencyHeaders } from "../../platform/idempotency/idempotency.http.ts";
import type { IndexProgress } from "../../soul/index-reads.ts";
import type { DidDocuments, DidResolution } from "./documents.ts";
import { operations } from "./operation-rules.ts";
import { DID_TYPES, didTypeOf, isResolutionType } from "./resolution.http.ts";
import { DidDocumentAnswer } from "./schemas.ts";
import type { DidUpdates } from "./update.ts";

const ReferenceParam = z.string().max(256).openapi({
  description: "The agent's name or token id, `did:svc:<name>` or `did:svc:<chain id>:<name>`.",
  example: "aurora",
});

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

const AccountShape = {
  chain: z.string().max(64).openapi({
    description: "CAIP-2 (`eip155:1`, `solana:<genesis>`), or a well-known chain's name.",
    example: "solana",
  }),
  address: z.string().max(128).openapi({ description: "EIP-55, or base58 of 32 bytes." }),
};

const AddAddress = z
  .strictObject({
    ...AccountShape,
    label: z.string().max(256).openapi({ description: "1 to 64 characters." }),
    keyType: z.enum(KEY_TYPES),
  })
  .transform((input, context) => orIssue(context, () => parseChainAddress(input)))
  .openapi({ type: "object" });

const RemoveAddress = z
  .strictObject(AccountShape)
  .transform((input, context) => orIssue(context, () => parseAccount(input)))
  .openapi({ type: "object" });

const ChangeShape = {
  tokenId: TokenIdSchema,
  addAddress: AddAddress.optional(),
  removeAddress: RemoveAddress.optional(),
};

const ONE_CHANGE = "Exactly one of addAddress and removeAddress";

const hasOneChange = (body: { addAddress?: unknown; removeAddress?: unknown }) =>
  (body.addAddress === undefined) !== (body.removeAddress === undefined);

export const DidChangeBody = z.strictObject(ChangeShape).refine(hasOneChange, ONE_CHANGE);
const SignedChangeBody = z
  .strictObject({ ...ChangeShape, ...evidenceShape("SetDidArchive") })
  .refine(hasOneChange, ONE_CHANGE);

const Updated = z
  .object({
    did: z.string(),
    tokenId: IdAnswer,
    erc8004AgentId: IdAnswer.nullable().openapi({
      description: "Null for a change that an earlier release accepted.",
    }),
    updated: z.literal(true),
    arweaveTxId: z.string(),
    totalAddresses: z.int().min(0).openapi({ description: "Addresses that the owner lists now." }),
    txHash: z.string(),
  })
  .openapi("DidUpdated");

export interface DidRouteDeps {
  readonly dids: DidDocuments;
  readonly didUpdates: DidUpdates;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/did/{name}`. */
export function didRoutes(deps: DidRouteDeps) {
  const { dids, didUpdates } = deps;

  const getDid = createRoute({
    method: "get",
    path: "/did/{name}",
    operationId: "getDidDocument",
    tags: ["DID"],
    summary: "The DID document of an agent",
    description:
      "A name or a DID of this chain; `agent-<id>` is a passport's own. `Accept: application/did-resolution` (or `application/did-resolution+json`) asks for the document with its metadata: `deactivated` after a burn, with status 410, and `versionId` of the archived record. Errors are resolution results then, too.",
    request: {
      params: z.object({ name: ReferenceParam }),
      query: z.object({
        versionId: z.string().max(64).optional().openapi({
          description:
            "An archived version of the present epoch, by its storage id; owner, operator and services are those of now.",
        }),
        ...MinBlockQuery.shape,
      }),
    },
    middleware: minBlock(deps.index, deps.indexerWaitMs),
    responses: {
      200: {
        description: "The document as last indexed. A burned agent's names no account.",
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
      ...errorResponses(
        "INVALID_REQUEST",
        "INVALID_NAME",
        "NOT_FOUND",
        "NOT_ACCEPTABLE",
        "STORAGE_UNAVAILABLE",
        "REGISTRY_PENDING",
        "INDEX_BEHIND",
      ),
    },
  });

  const putDid = createRoute({
    method: "put",
    path: "/did/{name}",
    operationId: "updateDidDocument",
    tags: ["DID"],
    summary: "Add an address to an agent's DID document, or remove one",
    description:
      "With the owner's signature over `SetDidArchive`, from `POST /v1/typed-data/did`. The new record is stored first; the registry then names it. At most 20 addresses; their ownership is not checked.",
    request: {
      params: z.object({ name: ReferenceParam }),
      headers: IdempotencyHeaders,
      body: jsonBody(SignedChangeBody),
    },
    responses: {
      200: {
        description: "The document as it is from now on.",
        content: { "application/json": { schema: Updated } },
      },
      ...errorResponses(...OWNER_OPERATION_ERRORS, "INVALID_NAME"),
    },
  });

  return createRouter(operations)
    .openapi(getDid, async (c) => {
      c.header("Vary", "Accept", { append: true });
      const type = didTypeOf(c);
      if (type === null) throw new ApiError("NOT_ACCEPTABLE", { details: { types: DID_TYPES } });
      const { versionId } = c.req.valid("query");
      const { at, value } = await dids.resolve(c.req.valid("param").name, versionId);
      reflectsBlock(c, at, "same");
      if (value.isValid) aboutValidSeal(c);
      if (type === "application/json") return c.json(value.document, 200);
      if (!isResolutionType(type)) return asType(c, value.document, type, 200);
      if (value.metadata.deactivated !== true) return asType(c, resolutionBody(value), type, 200);
      noStore(c);
      return asType(c, resolutionBody(value), type, 410);
    })
    .openapi(putDid, async (c) => {
      const { message, signature, signer, ...body } = c.req.valid("json");
      const name = dids.nameIn(c.req.valid("param").name);
      const { result, indexedBlock } = await didUpdates.perform(
        { tokenId: body.tokenId, name, change: changeIn(body) },
        { message, signature, signer },
        requesterOf(c),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      const { tokenId, passportId, ...updated } = result;
      const erc8004AgentId = idNumberOrNull(passportId);
      return c.json({ ...updated, tokenId: idNumber(tokenId), erc8004AgentId }, 200);
    });
}

/** The change that a validated body asks for. */
export function changeIn(body: {
  addAddress?: ChainAddress | undefined;
  removeAddress?: Pick<ChainAddress, "chain" | "address"> | undefined;
}): DidChange {
  if (body.addAddress !== undefined) return { kind: "add", address: body.addAddress };
  if (body.removeAddress === undefined) throw new Error("The schema lets no such body through.");
  const { chain, address } = body.removeAddress;
  return { kind: "remove", chain, address };
}

/** JSON under another media type. */
function asType<Body, Status extends 200 | 410>(
  c: Context,
  body: Body,
  type: string,
  status: Status,
): Response & TypedResponse<Body, Status, "body"> {
  const answer = c.body(JSON.stringify(body), status, { "Content-Type": type });
  return answer as unknown as Response & TypedResponse<Body, Status, "body">;
}

function resolutionBody({ document, metadata }: DidResolution): z.input<typeof Resolution> {
  const { created, ...others } = metadata;
  return {
    didDocument: document,
    didResolutionMetadata: { contentType: "application/did+ld+json" },
    didDocumentMetadata: {
      ...(created === undefined ? {} : { created: created.toISOString() }),
      ...others,
    },
  };
}

function orIssue<T>(context: z.RefinementCtx, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InvalidChainAddressError)) throw error;
    context.addIssue({ code: "custom", path: [error.field], message: error.reason });
    return z.NEVER;
  }
}
