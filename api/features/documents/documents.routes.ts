import type { Links } from "../../kernel/links.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { aboutValidSeal } from "../../platform/http/caching.ts";
import { isUnchanged } from "../../platform/http/conditional.ts";
import { authorise } from "../../platform/http/guard.ts";
import { reflectsBlock } from "../../platform/http/indexed-block.ts";
import { agentWrite, publicRead } from "../../platform/http/operations.ts";
import { assertSameAgent } from "../../platform/http/parameters.ts";
import { agentIds, NameOrTokenIdParam, TokenIdParam } from "../../platform/http/schemas.ts";
import type { DocumentVersion, SoulDocument, SoulDocumentService } from "./documents.ts";
import { IssuedUploadSchema, SoulDocumentsSchema, UploadRequestSchema } from "./schemas.ts";

interface DocumentParts {
  readonly soulDocuments: SoulDocumentService;
  readonly links: Links;
}

export const requestDocumentUpload = endpoint({
  operationId: "requestDocumentUpload",
  rules: agentWrite,
  method: "post",
  path: "/soul-documents/{tokenId}/upload-url",
  tag: "Soul documents",
  summary: "Get a URL to upload a new or changed document",
  description:
    "Requires a chronicle of category `document` with this `documentId` and `contentHash`, newer than the document's current version. A document that was declared at registration and never uploaded needs none. A new URL ends an unused one of the same document.",
  params: { tokenId: TokenIdParam },
  body: UploadRequestSchema,
  done: "The URL, for 24 hours and one upload.",
  answer: IssuedUploadSchema,
  errors: ["NOT_FOUND", "BURNED"],
  async run({ tokenId, body }, { soulDocuments }: DocumentParts, c) {
    await authorise(c, tokenId);
    assertSameAgent(tokenId, body.tokenId);
    const issued = await soulDocuments.requestUpload(body, c.get("operationKey"));
    const { id, passportId, uploadUrl, expiresAt } = issued;
    return {
      documentId: id,
      ...agentIds({ tokenId, passportId }),
      uploadUrl,
      expiresAt: expiresAt.toISOString(),
    };
  },
});

export const listSoulDocuments = endpoint({
  operationId: "listSoulDocuments",
  rules: { ...publicRead, madeFrom: "database" },
  method: "get",
  path: "/soul-documents/{name}",
  tag: "Soul documents",
  summary: "An agent's documents with all their versions",
  params: { name: NameOrTokenIdParam },
  waitsForBlock: true,
  done: "The documents by id.",
  answer: SoulDocumentsSchema,
  errors: ["INVALID_NAME", "NOT_FOUND"],
  async run({ name }, { soulDocuments, links }: DocumentParts, c) {
    const { at, value } = await soulDocuments.list(name);
    const body = {
      agentName: value.agentName,
      ...agentIds(value),
      documents: value.documents.map((document) => documentBody(document, links)),
    };
    reflectsBlock(c, at);
    if (value.isValid) aboutValidSeal(c);
    return isUnchanged(c, body) ? c.body(null, 304) : body;
  },
});

function documentBody(document: SoulDocument, links: Links) {
  return {
    id: document.id,
    type: document.type,
    title: document.title,
    format: document.format,
    immutable: document.immutable,
    immutabilityBroken: document.immutabilityBroken,
    ...stored(document, links),
    previousVersions: document.previousVersions.map((version) => ({
      ...stored(version, links),
      breaksImmutability: version.breaksImmutability,
    })),
    merkleVerification: { ...document.merkleVerification },
  };
}

const stored = (version: DocumentVersion, links: Links) => ({
  version: version.version,
  contentHash: version.contentHash,
  arweaveTxId: version.archiveId,
  arweaveUrl: version.archiveId === null ? null : links.storage(version.archiveId),
  uploadedAt: version.uploadedAt?.toISOString() ?? null,
});
