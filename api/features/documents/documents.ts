import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { bytesToHex } from "viem";
import type { FieldLeaf } from "../../../protocol/index.ts";
import { FIELDS, fieldLeaf } from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import type { IndexedAgent, IndexedAgents } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { assertSoul, requireSoul } from "../../soul/require-soul.ts";
import type { SoulEpoch, SoulRef } from "../../soul/soul-ref.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import { validityOf } from "../../soul/validity.ts";
import { DOCUMENT_FORMATS, documentMediaType } from "./formats.ts";
import type { DeclaredDocument, DocumentUpload, IssuedUpload } from "./uploads.ts";
import { UPLOAD_TOKEN } from "./uploads.ts";

/** A recorded version of a document. */
export interface DocumentVersion extends DeclaredDocument {
  /** From 1. */
  readonly version: number;
  /** Null, like `uploadedAt`, while only its hash was declared. */
  readonly archiveId: string | null;
  readonly uploadedAt: Date | null;
  /** The record that announced it; null for a document declared with the seal. */
  readonly chronicleId: bigint | null;
  /** Whether it replaced a version that was declared immutable. */
  readonly breaksImmutability: boolean;
}

/** A document with its earlier versions. */
export interface SoulDocument extends DocumentVersion {
  readonly immutabilityBroken: boolean;
  /** Newest first. */
  readonly previousVersions: readonly DocumentVersion[];
  /** Whether the sealed tree commits to its current version. */
  readonly merkleVerification: {
    readonly leafIndex: number;
    readonly inMerkleTree: boolean;
    readonly note: string;
  };
}

export interface DocumentStore {
  findUpload(tokenHash: Buffer): Promise<DocumentUpload | null>;
  /**
   * Consumes the permission and records the upload in one transaction: of concurrent requests, one
   * succeeds. Null for the rest, and after it expired. The change of an immutable document is
   * recorded as a pending chronicle, under `derivedKey`.
   */
  record(
    upload: DocumentUpload,
    stored: { readonly archiveId: string; readonly at: Date },
  ): Promise<{ readonly version: DocumentVersion; readonly derivedKey: string | null } | null>;
  current(soul: SoulEpoch, documentId: string): Promise<DocumentVersion | null>;
  /** By id, and each document's versions newest first. */
  versions(soul: SoulEpoch): Promise<readonly DocumentVersion[]>;
  /** The newest chronicle after number `after` that announces this content of this document. */
  announcement(
    soul: SoulEpoch,
    content: Pick<DeclaredDocument, "id" | "contentHash">,
    after: bigint,
  ): Promise<{
    readonly chronicleId: bigint;
    readonly data: Readonly<Record<string, unknown>>;
  } | null>;
  /** The inputs of the soul's leaves; the salt is bound to the soul hash. */
  leafSecrets(soul: SoulEpoch): Promise<{
    readonly soulHash: Hex;
    readonly saltEncrypted: Buffer;
    readonly leaves: readonly FieldLeaf[];
  } | null>;
}

/**
 * An agent's request for an upload. Every member but the hash may be left to the chronicle that
 * announced it.
 */
export interface UploadWish {
  readonly tokenId: bigint;
  readonly documentId: string;
  readonly contentHash: Hex;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly immutable?: boolean | undefined;
}

export interface SoulDocumentDeps {
  readonly store: DocumentStore;
  readonly reads: IndexedAgents;
  /** The soul's current state on chain. Rejects with CHAIN_UNAVAILABLE. */
  readonly souls: ChainSouls;
  readonly archive: {
    /** Stores `content` if it is not stored yet; the same content always gets the same id. */
    archive(content: { data: Uint8Array; contentType: string }): Promise<string>;
  };
  readonly issue: (
    change: Pick<DocumentUpload, "operationId" | "tokenId" | "epoch" | "document" | "chronicleId">,
  ) => Promise<IssuedUpload>;
  readonly derived: { attempt(key: string): Promise<void> };
  readonly secrets: Pick<Secrets, "decrypt">;
  readonly clock: () => Date;
}

const FIELD = "soul.documents";
/** The documents' leaf. */
const DOCUMENTS_LEAF = FIELDS.indexOf(FIELD);

export type SoulDocumentService = ReturnType<typeof createSoulDocumentService>;

/**
 * Documents that belong to a soul: always public, and each content exactly as its owner announced
 * it.
 */
export function createSoulDocumentService(deps: SoulDocumentDeps) {
  return {
    /** The documents, by id. @throws ApiError NOT_FOUND */
    async list(agent: SoulRef) {
      const { at, value } = await requireAgent(deps.reads, agent);
      const { tokenId, passportId, name, epoch } = value.soul;
      const versions = await deps.store.versions({ tokenId, epoch });
      const committed = await commitment(deps, value, versions);
      const documents = byDocument(versions).map((of) => soulDocument(of, committed));
      const isValid = validityOf(value) === "valid";
      return { at, value: { agentName: name, tokenId, passportId, isValid, documents } };
    },

    /**
     * A permission to upload a content that a chronicle announced, or that the seal declared and that
     * is not uploaded yet.
     *
     * @throws ApiError FORBIDDEN when no chronicle announced it; INVALID_REQUEST naming the member
     * that contradicts the chronicle, is missing, or exists already; NOT_FOUND, BURNED, SUSPENDED,
     * CHAIN_UNAVAILABLE.
     */
    async requestUpload(wish: UploadWish, operationId: string) {
      const { tokenId } = wish;
      const { epoch, passportId } = await requireSoul(deps.souls, tokenId, "active");
      const announced = await announcedDocument(deps.store, { tokenId, epoch }, wish);
      const issued = await deps.issue({ tokenId, epoch, operationId, ...announced });
      return { ...issued, passportId };
    },

    /**
     * Stores a document and records it. Until it is recorded the token is not used up: after any
     * failure the same bytes may be sent again, and are stored under the same id.
     *
     * @throws ApiError GONE for a token that is unknown, late, replaced or of an earlier seal;
     * CODE_USED; FORBIDDEN for another document's; HASH_MISMATCH; BURNED, SUSPENDED,
     * CHAIN_UNAVAILABLE, STORAGE_UNAVAILABLE.
     */
    upload: (documentId: string, token: string, content: Uint8Array) =>
      upload(deps, documentId, token, content),
  };
}

/** The document that the agent may upload, as it was announced. */
async function announcedDocument(store: DocumentStore, soul: SoulEpoch, wish: UploadWish) {
  const { documentId: id, contentHash } = wish;
  const current = await store.current(soul, id);
  if (current?.contentHash === contentHash) {
    if (current.archiveId !== null) {
      throw badRequest("contentHash", "The document has this content already");
    }
    const { immutable, chronicleId } = current;
    const document = { id, contentHash, ...agreed(wish, current, null), immutable };
    return { document, chronicleId };
  }

  const after = current?.chronicleId ?? 0n;
  const announcement = await store.announcement(soul, { id, contentHash }, after);
  if (announcement === null) throw notAnnounced(id, contentHash);
  const { data, chronicleId } = announcement;
  const stated = { type: data.documentType, title: data.title, format: data.format };
  const document = {
    id,
    contentHash,
    ...agreed(wish, stated, current),
    immutable: isImmutable(wish.immutable ?? data.immutable, current),
  };
  return { document, chronicleId };
}

async function upload(
  { store, souls, archive, derived, clock }: SoulDocumentDeps,
  documentId: string,
  token: string,
  content: Uint8Array,
) {
  const tokenHash = UPLOAD_TOKEN.test(token) ? hashOfSecret(token) : null;
  const permission = usable(tokenHash && (await store.findUpload(tokenHash)), clock());
  const { document, tokenId } = permission;
  if (document.id !== documentId) {
    throw new ApiError("FORBIDDEN", { message: "This upload URL is for another document." });
  }
  const soul = await requireSoul(souls, tokenId, "registered");
  if (soul.epoch !== permission.epoch) throw gone();
  assertSoul(soul, "active");
  if (content.byteLength === 0) throw badRequest("", "The document is empty");
  const computed: Hex = `0x${createHash("sha256").update(content).digest("hex")}`;
  if (computed !== document.contentHash) {
    throw new ApiError("HASH_MISMATCH", {
      message: "This content differs from the announced content.",
      details: { field: "contentHash", expected: document.contentHash, computed },
    });
  }

  const contentType = documentMediaType(document.format);
  if (contentType === null) throw new Error(`A document has the format ${document.format}.`);
  const storedId = await archive.archive({ data: content, contentType });
  const recorded = await store.record(permission, { archiveId: storedId, at: clock() });
  if (recorded === null) {
    usable(await store.findUpload(permission.tokenHash), clock());
    throw gone();
  }
  if (recorded.derivedKey !== null) await derived.attempt(recorded.derivedKey);
  const { archiveId, uploadedAt } = recorded.version;
  if (archiveId === null || uploadedAt === null) {
    throw new Error("An uploaded document is recorded without its upload.");
  }
  return { tokenId, document: { ...recorded.version, archiveId, uploadedAt } };
}

function usable(upload: DocumentUpload | null, now: Date): DocumentUpload {
  if (upload === null) throw gone();
  if (upload.usedAt !== null) {
    throw new ApiError("CODE_USED", { message: "This upload URL has already been used." });
  }
  if (upload.expiresAt <= now) throw gone();
  return upload;
}

/** The documents that the sealed leaf commits to; null when the service cannot know. */
async function commitment(
  { store, secrets }: SoulDocumentDeps,
  { soul }: IndexedAgent,
  versions: readonly DocumentVersion[],
): Promise<readonly DocumentVersion[] | null> {
  if (versions.length === 0) return null;
  const stored = await store.leafSecrets(soul);
  const sealed = stored?.leaves[DOCUMENTS_LEAF]?.hash;
  if (!stored || sealed === undefined || stored.soulHash !== soul.soulHash) return null;
  const { soulHash, saltEncrypted } = stored;
  const salt = bytesToHex(secrets.decrypt(SALT_PURPOSE, saltEncrypted, soulHash));
  const leafOf = (documents: readonly DocumentVersion[]) =>
    fieldLeaf({ salt, soulHash, field: FIELD, value: leafValue(documents) }).hash;
  return candidates(versions).find((documents) => leafOf(documents) === sealed) ?? [];
}

/** Lists that a leaf may commit to: everything now, everything with its seal, nothing since. */
function candidates(versions: readonly DocumentVersion[]): (readonly DocumentVersion[])[] {
  return [
    byDocument(versions).flatMap(([newest]) => newest ?? []),
    versions.filter(({ version, chronicleId }) => version === 1 && chronicleId === null),
  ];
}

/** Versions grouped by document. */
function byDocument(versions: readonly DocumentVersion[]): DocumentVersion[][] {
  const groups: DocumentVersion[][] = [];
  for (const version of versions) {
    const last = groups.at(-1);
    if (last?.[0]?.id === version.id) last.push(version);
    else groups.push([version]);
  }
  return groups;
}

/** The value of `soul.documents`, in the soul format's form. */
function leafValue(documents: readonly DocumentVersion[]) {
  return documents
    .map(({ id, contentHash, immutable }) => ({ id, contentHash, immutable }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function soulDocument(
  versions: readonly DocumentVersion[],
  committed: readonly DocumentVersion[] | null,
): SoulDocument {
  const [current, ...previousVersions] = versions;
  if (!current) throw new Error("A document has no version.");
  return {
    ...current,
    immutabilityBroken: versions.some(({ breaksImmutability }) => breaksImmutability),
    previousVersions,
    merkleVerification: {
      leafIndex: DOCUMENTS_LEAF,
      inMerkleTree: committed?.includes(current) ?? false,
      note: noteOn(current, committed),
    },
  };
}

function noteOn(current: DocumentVersion, committed: readonly DocumentVersion[] | null): string {
  if (committed === null) {
    return "The service does not hold the inputs of this soul's leaves, so this is unknown.";
  }
  const sealed = committed.find(({ id }) => id === current.id);
  if (sealed === current) {
    return "The sealed Merkle root commits to this content hash, in the leaf soul.documents.";
  }
  const announced =
    current.chronicleId === null
      ? "Its hash was declared with the seal."
      : `Chronicle ${current.chronicleId} announced this content.`;
  return sealed === undefined
    ? `The sealed leaf soul.documents does not hold this document. ${announced}`
    : `The sealed leaf soul.documents holds version ${sealed.version} of this document. ${announced}`;
}

/**
 * The chronicle's values, completed by the caller's. A changed document keeps its earlier values
 * for the rest.
 */
function agreed(
  wish: UploadWish,
  stated: Readonly<Record<"type" | "title" | "format", unknown>>,
  current: DocumentVersion | null,
): Pick<DeclaredDocument, "type" | "title" | "format"> {
  const issues: { path: string; message: string }[] = [];
  const one = (key: "type" | "title" | "format"): string => {
    const announced = stated[key];
    if (typeof announced !== "string") {
      const value = wish[key] ?? current?.[key];
      if (value === undefined) {
        issues.push({ path: key, message: "Required here or in the chronicle" });
      }
      return value ?? "";
    }
    if (wish[key] !== undefined && wish[key] !== announced) {
      issues.push({ path: key, message: `The record has ${announced}` });
    }
    return announced;
  };
  const document = { type: one("type"), title: one("title"), format: one("format") };
  if (issues.length === 0 && documentMediaType(document.format) === null) {
    issues.push({ path: "format", message: `Use one of ${DOCUMENT_FORMATS.join(", ")}` });
  }
  if (issues.length > 0) throw new ApiError("INVALID_REQUEST", { details: { issues } });
  return document;
}

function isImmutable(wanted: unknown, current: DocumentVersion | null): boolean {
  if (current?.immutable && wanted === false) {
    throw badRequest("immutable", "It was declared immutable, which cannot be taken back");
  }
  return current?.immutable === true || wanted === true;
}

function gone(): ApiError {
  return new ApiError("GONE", { message: "This upload URL is unknown or has expired." });
}

function notAnnounced(documentId: string, contentHash: Hex): ApiError {
  return new ApiError("FORBIDDEN", {
    message:
      "Adding or changing a document requires a chronicle first: POST /v1/chronicle with category document and this documentId and contentHash.",
    details: { requiredChronicle: { category: "document", data: { documentId, contentHash } } },
  });
}
