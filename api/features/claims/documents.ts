import type { JobData } from "../../platform/jobs/ports.ts";
import type { ArchivePort } from "../registration/index.ts";
import type { StagedDocuments } from "./staged-documents.store.ts";

/** Stores the document of a claimed registration. The job may retry for a day. */
export const ARCHIVE_DOCUMENT_JOB = "claims.document";

/**
 * An agent's document as permanent storage holds it. The same text has one id, whether it comes
 * with a claim or is uploaded.
 */
export function documentContent(text: string): { data: Uint8Array; contentType: string } {
  return { data: new TextEncoder().encode(text), contentType: "text/markdown" };
}

export type ClaimDocuments = ReturnType<typeof createClaimDocuments>;

export function createClaimDocuments(deps: {
  readonly documents: StagedDocuments;
  readonly archive: ArchivePort;
}) {
  const { documents, archive } = deps;

  /**
   * Stores the document if there is one. Repeating it stores nothing new. @throws ApiError
   * STORAGE_UNAVAILABLE
   */
  async function store(registrationId: string): Promise<void> {
    const text = await documents.find(registrationId);
    if (text !== null) await archive.archive(documentContent(text));
  }

  return {
    store,
    /** The job. */
    async finish({ registrationId }: JobData): Promise<void> {
      if (typeof registrationId !== "string") throw new Error("The job names no registration.");
      await store(registrationId);
      await documents.forget(registrationId);
    },
  };
}
