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

/** How long an upload URL is valid. */
export const UPLOAD_TIME_MS = 24 * 60 * 60 * 1000;

const TOKEN_PURPOSE = "document-upload-token";

/** Form of a token: 256 bits in base64url. */
export const UPLOAD_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Issues permissions to upload documents, each stored with its cause or not at all. Tokens are derived
 * from the master key and from their permission, so that a lost answer can be repeated although only
 * their hashes are stored.
 */
export function createDocumentUploads({
  store,
  secrets,
  links,
  clock,
}: {
  readonly store: UploadStore;
  readonly secrets: Pick<Secrets, "hmac" | "versions">;
  readonly links: Pick<Links, "documentUpload">;
  readonly clock: () => Date;
}) {
  function issuedUpload(upload: DocumentUpload): IssuedUpload {
    const { id } = upload.document;
    const uploadUrl = links.documentUpload(id, tokenOf(secrets, upload, upload.keyVersion));
    return { id, uploadUrl, expiresAt: upload.expiresAt };
  }

  return {
    /**
     * For documents that a seal declared: they become version 1, and each gets a URL for 24 hours.
     * Repeating it for the same operation does not change documents uploaded in between.
     *
     * @param declared With the operation that declared them; with it the same URLs can be returned
     * again.
     */
    async issue(
      transaction: Transaction,
      declared: SoulEpoch & {
        readonly operationId: string;
        readonly documents: readonly DeclaredDocument[];
      },
    ): Promise<IssuedUpload[]> {
      const { tokenId, epoch, operationId, documents } = declared;
      const at = clock();
      const uploads = documents.map((document) =>
        permission(secrets, { operationId, tokenId, epoch, document }, null, at),
      );
      await store.declare(transaction, { tokenId, epoch }, documents, null);
      return (await store.put(transaction, uploads)).map(issuedUpload);
    },

    /** For a version that a chronicle announced; without a chronicle, for a content declared with the seal. */
    async issueChange(
      transaction: Transaction,
      { chronicleId, ...bound }: Bound & Pick<DocumentUpload, "chronicleId">,
    ): Promise<IssuedUpload> {
      const upload = permission(secrets, bound, chronicleId, clock());
      const [uploadRow] = await store.put(transaction, [upload]);
      if (!uploadRow) throw new Error("A permission that was just stored is missing.");
      return issuedUpload(uploadRow);
    },

    /**
     * The permissions issued to an operation, for its repeated answer, without those that a later
     * permission replaced.
     */
    async issued(operationId: string): Promise<IssuedUpload[]> {
      return (await store.ofOperation(operationId)).map(issuedUpload);
    },

    /** Records a document whose content was stored before its token existed. */
    async recordStored(
      transaction: Transaction,
      stored: SoulEpoch & { readonly document: DeclaredDocument; readonly archiveId: string },
    ): Promise<void> {
      const { document, archiveId, ...soul } = stored;
      await store.declare(transaction, soul, [document], { archiveId, uploadedAt: clock() });
    },
  };
}

export type DocumentUploads = ReturnType<typeof createDocumentUploads>;

/** What a token is derived from. */
type Bound = Pick<DocumentUpload, "operationId" | "tokenId" | "epoch" | "document">;

function tokenOf(secrets: Pick<Secrets, "hmac">, bound: Bound, keyVersion: number): string {
  const { operationId, tokenId, epoch, document } = bound;
  const parts = [operationId, `${tokenId}`, `${epoch}`, document.id, document.contentHash];
  return secrets.hmac(TOKEN_PURPOSE, parts, keyVersion).toString("base64url");
}

function permission(
  secrets: Pick<Secrets, "hmac" | "versions">,
  bound: Bound,
  chronicleId: bigint | null,
  createdAt: Date,
): NewUpload {
  const keyVersion = secrets.versions[0];
  if (keyVersion === undefined) throw new Error("There is no master key.");
  return {
    ...bound,
    keyVersion,
    chronicleId,
    createdAt,
    tokenHash: hashOfSecret(tokenOf(secrets, bound, keyVersion)),
    expiresAt: new Date(createdAt.getTime() + UPLOAD_TIME_MS),
  };
}
