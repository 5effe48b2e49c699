import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type ChainAddress,
  type DidChange,
  InvalidChainAddressError,
  KEY_TYPES,
  parseAccount,
  parseChainAddress,
  type SigningPlace,
} from "../../protocol/index.ts";
import { aboutValidSeal } from "../http/caching.ts";
import { DidDocumentAnswer } from "../http/did-schemas.ts";
import { IdempotencyHeaders } from "../http/idempotency.ts";
import {
  INDEXED_BLOCK_HEADER,
  MinBlockQuery,
  minBlock,
  reflectsBlock,
} from "../http/indexed-block.ts";
import {
  evidenceShape,
  OWNER_OPERATION_ERRORS,
  TYPED_DATA_ERRORS,
  typedDataBody,
} from "../http/owner-operation-schemas.ts";
import { createRouter, errorResponses, jsonBody } from "../http/router.ts";
import { TimestampSchema, TokenIdSchema } from "../http/schemas.ts";
import { TypedDataSchema } from "../http/typed-data.ts";
import type { DidDocuments, DidResolution } from "../services/did-documents.ts";
import type { DidUpdates } from "../services/did-update.ts";
import type { IndexProgress } from "../services/index-reads.ts";

/** Media type of a document together with its metadata. */
const RESOLUTION_TYPE = "application/did-resolution";
/** Media types of the document alone; the first is the answer when none is asked for. */
const DOCUMENT_TYPES = [
  "application/json",
  "application/did+ld+json",
  "application/did+json",
] as const;

const ReferenceParam = z.string().max(256).openapi({
  description: "The agent's name, `did:svc:<name>` or `did:svc:<chain id>:<name>`.",
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

const ChangeBody = z.strictObject(ChangeShape).refine(hasOneChange, ONE_CHANGE);
const SignedChangeBody = z
  .strictObject({ ...ChangeShape, ...evidenceShape("SetDidArchive") })
  .refine(hasOneChange, ONE_CHANGE);

const Updated = z
  .object({
    did: z.string(),
    updated: z.literal(true),
    arweaveTxId: z.string(),
    totalAddresses: z.int().min(0).openapi({ description: "Addresses that the owner lists now." }),
    txHash: z.string(),
  })
  .openapi("DidUpdated");

export interface DidRouteDeps {
  readonly dids: DidDocuments;
  readonly didUpdates: DidUpdates;
  readonly signingPlace: SigningPlace;
  readonly index: IndexProgress;
  /** Longest time in milliseconds that `minBlock` makes a read wait. */
  readonly indexerWaitMs: number;
}

/** `/did/{name}`, and the data that an owner signs to change a document. */
export function didRoutes(deps: DidRouteDeps) {
  const { dids, didUpdates, signingPlace } = deps;

  const getDid = createRoute({
    method: "get",
    path: "/did/{name}",
    operationId: "getDidDocument",
    tags: ["DID"],
    summary: "The DID document of an agent",
    description:
      "A name or a DID of this chain; `agent-<id>` is a passport's own. `Accept: application/did-resolution` asks for the document with its metadata: `deactivated` after a burn, `versionId` of the archived record in force.",
    request: {
      params: z.object({ name: ReferenceParam }),
      query: MinBlockQuery,
    },
    middleware: minBlock(deps.index, deps.indexerWaitMs),
    responses: {
      200: {
        description: "The document as last indexed. Of a burned agent it names nobody.",
        content: {
          "application/json": { schema: DidDocumentAnswer },
          "application/did+ld+json": { schema: DidDocumentAnswer },
          "application/did+json": { schema: DidDocumentAnswer },
          "application/did-resolution": { schema: Resolution },
        },
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

  const putDid = createRoute({
    method: "put",
    path: "/did/{name}",
    operationId: "updateDidDocument",
    tags: ["DID"],
    summary: "Add an address to an agent's DID document, or remove one",
    description:
      "With the owner's signature over `SetDidArchive`, from `POST /v1/typed-data/did`. The new record is stored first; the registry then names it. At most 20 addresses; nobody checks that an address is the agent's.",
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

  const prepareDid = createRoute({
    method: "post",
    path: "/typed-data/did",
    operationId: "prepareDidUpdate",
    tags: ["DID"],
    summary: "The EIP-712 data that an owner signs to change its agent's DID document",
    description:
      "Takes the body of `PUT /v1/did/{name}` without its signature. Nothing is stored: the nonce is fresh, and the deadline 15 minutes ahead.",
    request: { body: jsonBody(ChangeBody) },
    responses: {
      200: {
        description: "Exactly what the soul registry will verify.",
        content: { "application/json": { schema: TypedDataSchema } },
      },
      ...errorResponses(...TYPED_DATA_ERRORS),
    },
  });

  return createRouter()
    .openapi(getDid, async (c) => {
      const { at, value } = await dids.resolve(c.req.valid("param").name);
      reflectsBlock(c, at);
      if (value.isValid) aboutValidSeal(c);
      c.header("Vary", "Accept", { append: true });
      const type = preferredType(c);
      if (type === "application/json") return c.json(value.document, 200);
      const body = type === RESOLUTION_TYPE ? resolutionBody(value) : value.document;
      return c.body(JSON.stringify(body), 200, { "Content-Type": type });
    })
    .openapi(putDid, async (c) => {
      const { message, signature, signer, ...body } = c.req.valid("json");
      const name = dids.nameIn(c.req.valid("param").name);
      const { result, indexedBlock } = await didUpdates.perform(
        { tokenId: body.tokenId, name, change: changeIn(body) },
        { message, signature, signer },
        c.get("operationKey"),
      );
      c.header(INDEXED_BLOCK_HEADER, indexedBlock.toString());
      return c.json(result, 200);
    })
    .openapi(prepareDid, async (c) => {
      const body = c.req.valid("json");
      const request = { tokenId: body.tokenId, name: null, change: changeIn(body) };
      const message = await didUpdates.prepare(request);
      return c.json(typedDataBody(signingPlace, "SetDidArchive", message), 200);
    });
}

function changeIn(body: {
  addAddress?: ChainAddress | undefined;
  removeAddress?: Pick<ChainAddress, "chain" | "address"> | undefined;
}): DidChange {
  if (body.addAddress !== undefined) return { kind: "add", address: body.addAddress };
  if (body.removeAddress === undefined) throw new Error("The schema lets no such body through.");
  const { chain, address } = body.removeAddress;
  return { kind: "remove", chain, address };
}

/** The first known type that the caller names; it takes no part in caching but through `Vary`. */
function preferredType(c: Context): typeof RESOLUTION_TYPE | (typeof DOCUMENT_TYPES)[number] {
  const named = (c.req.header("accept") ?? "")
    .split(",")
    .map((entry) => entry.replace(/;.*$/s, "").trim().toLowerCase());
  for (const type of named) {
    const known = [RESOLUTION_TYPE, ...DOCUMENT_TYPES].find((one) => one === type);
    if (known !== undefined) return known as ReturnType<typeof preferredType>;
  }
  return DOCUMENT_TYPES[0];
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
