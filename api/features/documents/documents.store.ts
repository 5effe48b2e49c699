import { and, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database, Executor } from "../../platform/database/connect.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { DerivedChronicleStore } from "../chronicles/index.ts";
import { chronicle } from "../chronicles/index.ts";
import { createSoulSecrets } from "../disclosure/index.ts";
import type { DocumentStore, DocumentVersion } from "./documents.ts";
import { documentUpload, documentVersion } from "./tables.ts";
import { toUpload } from "./uploads.store.ts";
import type { DocumentUpload } from "./uploads.ts";

const ofSoul = ({ tokenId, epoch }: SoulEpoch) =>
  and(eq(documentVersion.tokenId, tokenId), eq(documentVersion.epoch, epoch));

const newestOf = (from: Executor, soul: SoulEpoch, documentId: string) =>
  from
    .select()
    .from(documentVersion)
    .where(and(ofSoul(soul), eq(documentVersion.documentId, documentId)))
    .orderBy(desc(documentVersion.version))
    .limit(1);

/** Soul documents in Postgres. */
export function createDocumentStore({
  db,
  derived,
}: {
  readonly db: Database;
  readonly derived: Pick<DerivedChronicleStore, "add">;
}): DocumentStore {
  return {
    async findUpload(tokenHash) {
      const [row] = await db
        .select()
        .from(documentUpload)
        .where(eq(documentUpload.tokenHash, tokenHash));
      return row ? toUpload(row) : null;
    },

    record: (upload, stored) => db.transaction((tx) => recordUpload(tx, derived, upload, stored)),

    async current(soul, documentId) {
      const [row] = await newestOf(db, soul, documentId);
      return row ? toVersion(row) : null;
    },

    async versions(soul) {
      const rows = await db
        .select()
        .from(documentVersion)
        .where(ofSoul(soul))
        // By bytes, which is the order of the ids everywhere else.
        .orderBy(sql`${documentVersion.documentId} collate "C"`, desc(documentVersion.version));
      return rows.map(toVersion);
    },

    async announcement({ tokenId, epoch }, { id, contentHash }, after) {
      const [row] = await db
        .select({ chronicleId: chronicle.chronicleId, data: chronicle.data })
        .from(chronicle)
        .where(
          and(
            eq(chronicle.tokenId, tokenId),
            eq(chronicle.epoch, epoch),
            eq(chronicle.category, "document"),
            // The service's own records follow from documents, and announce none.
            ne(chronicle.authority, "service"),
            gt(chronicle.chronicleId, after),
            sql`${chronicle.data} ->> 'documentId' = ${id}`,
            sql`'0x' || lower(right(${chronicle.data} ->> 'contentHash', 64)) = ${contentHash}`,
          ),
        )
        .orderBy(desc(chronicle.chronicleId))
        .limit(1);
      return row ?? null;
    },

    leafSecrets: createSoulSecrets(db).of,
  };
}

type Stored = Parameters<DocumentStore["record"]>[1];

async function recordUpload(
  tx: Executor,
  derived: Pick<DerivedChronicleStore, "add">,
  upload: DocumentUpload,
  stored: Stored,
) {
  const used = await tx
    .update(documentUpload)
    .set({ usedAt: stored.at })
    .where(
      and(
        eq(documentUpload.tokenHash, upload.tokenHash),
        isNull(documentUpload.usedAt),
        gt(documentUpload.expiresAt, stored.at),
      ),
    )
    .returning({ tokenHash: documentUpload.tokenHash });
  if (used.length === 0) return null;
  const { version, replacedHash } = await addVersion(tx, upload, stored);
  if (!version.breaksImmutability) return { version, derivedKey: null };
  const { tokenId, epoch } = upload;
  const derivedKey = `immutable-document:${tokenId}:${epoch}:${version.id}:${version.version}`;
  await derived.add(tx, {
    key: derivedKey,
    tokenId,
    category: "document",
    data: {
      changeType: "immutable_document_changed",
      documentId: version.id,
      documentType: version.type,
      title: version.title,
      format: version.format,
      contentHash: version.contentHash,
      previousContentHash: replacedHash,
      version: version.version,
      announcedBy: Number(version.chronicleId),
      epoch,
    },
  });
  return { version, derivedKey };
}

/**
 * Only the request that consumed the document's open permission gets here, so versions are added
 * one after another.
 */
async function addVersion(
  tx: Executor,
  upload: DocumentUpload,
  { archiveId, at }: Stored,
): Promise<{ readonly version: DocumentVersion; readonly replacedHash: Hex | null }> {
  const { tokenId, epoch, chronicleId } = upload;
  const { id: documentId, ...fields } = upload.document;
  const [current] = await newestOf(tx, upload, documentId);
  const replacedHash = current?.contentHash ?? null;
  if (current && replacedHash === fields.contentHash) {
    const stored = {
      archiveId: current.archiveId ?? archiveId,
      uploadedAt: current.uploadedAt ?? at,
    };
    await tx
      .update(documentVersion)
      .set(stored)
      .where(
        and(
          ofSoul(upload),
          eq(documentVersion.documentId, documentId),
          eq(documentVersion.version, current.version),
        ),
      );
    const version = toVersion({ ...current, ...stored });
    return { version: { ...version, breaksImmutability: false }, replacedHash };
  }
  const [added] = await tx
    .insert(documentVersion)
    .values({
      tokenId,
      epoch,
      documentId,
      ...fields,
      chronicleId,
      archiveId,
      uploadedAt: at,
      version: (current?.version ?? 0) + 1,
      breaksImmutability: current?.immutable ?? false,
    })
    .returning();
  if (!added) throw new Error("An insert returned nothing.");
  return { version: toVersion(added), replacedHash };
}

function toVersion(row: typeof documentVersion.$inferSelect): DocumentVersion {
  const { tokenId: _soul, epoch: _its, documentId: id, ...rest } = row;
  return { id, ...rest };
}
