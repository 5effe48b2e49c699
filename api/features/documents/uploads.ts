import type { Hex } from "viem";
import type { Links } from "../../kernel/links.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";

/** A document as its owner declares it. */
export interface DeclaredDocument {
  /** Of the form {@link DOCUMENT_ID}. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** One of {@link DOCUMENT_FORMATS}. */
  readonly format: string;
  /** SHA-256 of the content, lower case. */
  readonly contentHash: Hex;
  readonly immutable: boolean;
}

/** A permission to upload one version of one document, once. */
export interface DocumentUpload extends SoulEpoch {
  readonly tokenHash: Buffer;
  readonly operationId: string;
  readonly keyVersion: number;
  readonly document: DeclaredDocument;
  /** The record that announced it; null for a document declared with the seal. */
  readonly chronicleId: bigint | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

export type NewUpload = Omit<DocumentUpload, "usedAt">;

/** The owner's copy of a permission. */
export interface IssuedUpload {
  readonly id: string;
  /** Contains the token: its holder may upload this one content, and nothing else. */
  readonly uploadUrl: string;
  readonly expiresAt: Date;
}

/** The store of permissions. */
export interface UploadStore {
  /** Adds version 1 of each, unless there is one. */
  declare(
    transaction: Transaction,
    soul: SoulEpoch,
    documents: readonly DeclaredDocument[],
    stored: { readonly archiveId: string; readonly uploadedAt: Date } | null,
  ): Promise<void>;
  /**
   * Stores permissions, and returns them as stored, in the order of the documents' ids. One with a
   * known token stays unchanged. An unused one for the same document ends.
   */
  put(transaction: Transaction, uploads: readonly NewUpload[]): Promise<readonly DocumentUpload[]>;
  /** In the order of the documents' ids. */
  ofOperation(operationId: string): Promise<readonly DocumentUpload[]>;
}

/**
 * Issues permissions to upload documents.
 *
 * @typeParam Transaction the database module's transaction: a permission is stored with its cause,
 * or not at all.
 */
export interface DocumentUploads {
  /**
   * For documents that a seal declared: they become version 1, and each gets a URL for 24 hours.
   * Repeating it for the same operation does not change documents uploaded in between.
   *
   * @param operationId Names the operation that declared them; with it the same URLs can be
   * returned again.
   */
  issue(
    transaction: Transaction,
    declared: SoulEpoch & {
      readonly operationId: string;
      readonly documents: readonly DeclaredDocument[];
    },
  ): Promise<IssuedUpload[]>;
  /** For a version that a chronicle announced. */
  issueChange(
    transaction: Transaction,
    change: SoulEpoch & {
      readonly operationId: string;
      readonly document: DeclaredDocument;
      /** Null when this content was declared with the seal. */
      readonly chronicleId: bigint | null;
    },
  ): Promise<IssuedUpload>;
  /**
   * The permissions issued to an operation, for its repeated answer, without those that a later
   * permission replaced.
   */
  issued(operationId: string): Promise<IssuedUpload[]>;
  /** Records a document whose content was stored before its token existed. */
  recordStored(
    transaction: Transaction,
    stored: SoulEpoch & { readonly document: DeclaredDocument; readonly archiveId: string },
  ): Promise<void>;
}

export interface DocumentUploadsOptions {
  readonly store: UploadStore;
  readonly secrets: Pick<Secrets, "hmac" | "versions">;
  readonly links: Pick<Links, "documentUpload">;
  readonly clock: () => Date;
}

/** How long an upload URL is valid. */
export const UPLOAD_TIME_MS = 24 * 60 * 60 * 1000;

const TOKEN_PURPOSE = "document-upload-token";

/** Form of a token: 256 bits in base64url. */
export const UPLOAD_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Tokens are derived from the master key and from their permission, so that a lost answer can be
 * repeated although only their hashes are stored.
 */
export function createDocumentUploads(options: DocumentUploadsOptions): DocumentUploads {
  const { store, secrets, links, clock } = options;

  type Bound = Pick<DocumentUpload, "operationId" | "tokenId" | "epoch" | "document">;

  function tokenOf(bound: Bound, keyVersion: number): string {
    const { operationId, tokenId, epoch, document } = bound;
    const parts = [operationId, `${tokenId}`, `${epoch}`, document.id, document.contentHash];
    return secrets.hmac(TOKEN_PURPOSE, parts, keyVersion).toString("base64url");
  }

  function permission(bound: Bound, chronicleId: bigint | null, createdAt: Date): NewUpload {
    const keyVersion = secrets.versions[0];
    if (keyVersion === undefined) throw new Error("There is no master key.");
    return {
      ...bound,
      keyVersion,
      chronicleId,
      createdAt,
      tokenHash: hashOfSecret(tokenOf(bound, keyVersion)),
      expiresAt: new Date(createdAt.getTime() + UPLOAD_TIME_MS),
    };
  }

  function issuedUpload(upload: DocumentUpload): IssuedUpload {
    const { id } = upload.document;
    const uploadUrl = links.documentUpload(id, tokenOf(upload, upload.keyVersion));
    return { id, uploadUrl, expiresAt: upload.expiresAt };
  }

  return {
    async issue(transaction, { tokenId, epoch, operationId, documents }) {
      const at = clock();
      const uploads = documents.map((document) =>
        permission({ operationId, tokenId, epoch, document }, null, at),
      );
      await store.declare(transaction, { tokenId, epoch }, documents, null);
      return (await store.put(transaction, uploads)).map(issuedUpload);
    },

    async issueChange(transaction, { tokenId, epoch, operationId, document, chronicleId }) {
      const upload = permission({ operationId, tokenId, epoch, document }, chronicleId, clock());
      const [uploadRow] = await store.put(transaction, [upload]);
      if (!uploadRow) throw new Error("A permission that was just stored is missing.");
      return issuedUpload(uploadRow);
    },

    async issued(operationId) {
      return (await store.ofOperation(operationId)).map(issuedUpload);
    },

    async recordStored(transaction, { tokenId, epoch, document, archiveId }) {
      const stored = { archiveId, uploadedAt: clock() };
      await store.declare(transaction, { tokenId, epoch }, [document], stored);
    },
  };
}
