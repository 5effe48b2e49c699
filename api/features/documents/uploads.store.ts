import { asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database, Executor } from "../../platform/database/connect.ts";
import { documentUpload, documentVersion } from "./tables.ts";
import type { DocumentUpload, NewUpload, UploadStore } from "./uploads.ts";

/** Permissions to upload documents, in Postgres. */
export function createUploadStore(db: Database): UploadStore {
  return {
    async declare(tx, { tokenId, epoch }, documents, stored) {
      if (documents.length === 0) return;
      await tx
        .insert(documentVersion)
        .values(
          documents.map(({ id, ...fields }) => ({
            tokenId,
            epoch,
            documentId: id,
            version: 1,
            ...fields,
            ...stored,
          })),
        )
        .onConflictDoNothing();
    },

    async put(tx, uploads) {
      if (uploads.length === 0) return [];
      const keptRows = () =>
        tx
          .select()
          .from(documentUpload)
          .where(
            inArray(
              documentUpload.tokenHash,
              uploads.map(({ tokenHash }) => tokenHash),
            ),
          )
          .orderBy(asc(documentUpload.documentId));
      const known = await keptRows();
      const isKnown = ({ tokenHash }: NewUpload) =>
        known.some((row) => row.tokenHash.equals(tokenHash));
      const added = uploads.filter((upload) => !isKnown(upload));
      if (added.length > 0) await replaceOpen(tx, added);
      return (await keptRows()).map(toUpload);
    },

    async ofOperation(operationId) {
      const rows = await db
        .select()
        .from(documentUpload)
        .where(eq(documentUpload.operationId, operationId))
        .orderBy(asc(documentUpload.documentId));
      return rows.map(toUpload);
    },
  };
}

/**
 * One statement: of two permissions for a document that are issued at once, the later one is valid.
 */
async function replaceOpen(tx: Executor, uploads: readonly NewUpload[]): Promise<void> {
  const { tokenId, epoch, documentId, usedAt } = documentUpload;
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  await tx
    .insert(documentUpload)
    .values(
      uploads.map(({ document: { id, ...fields }, ...rest }) => ({
        ...rest,
        ...fields,
        documentId: id,
      })),
    )
    .onConflictDoUpdate({
      target: [tokenId, epoch, documentId],
      targetWhere: isNull(usedAt),
      set: {
        tokenHash: excluded("token_hash"),
        operationId: excluded("operation_id"),
        keyVersion: excluded("key_version"),
        type: excluded("type"),
        title: excluded("title"),
        format: excluded("format"),
        contentHash: excluded("content_hash"),
        immutable: excluded("immutable"),
        chronicleId: excluded("chronicle_id"),
        createdAt: excluded("created_at"),
        expiresAt: excluded("expires_at"),
      },
    });
}

/** A permission from its row. */
export function toUpload(row: typeof documentUpload.$inferSelect): DocumentUpload {
  const { documentId: id, type, title, format, contentHash, immutable, ...rest } = row;
  const document = { id, type, title, format, contentHash, immutable };
  return { ...rest, document };
}
