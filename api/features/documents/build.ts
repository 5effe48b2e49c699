import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { DerivedChronicleStore, DerivedChronicles } from "../chronicles/index.ts";
import { createDocumentStore } from "./documents.store.ts";
import { createSoulDocumentService } from "./documents.ts";
import { createUploadStore } from "./uploads.store.ts";
import { createDocumentUploads, type DocumentUploads } from "./uploads.ts";

/** Uploads of documents, which registrations and claims declare as well. */
export function buildUploads(
  options: Pick<Platform, "db" | "secrets" | "links" | "clock">,
): DocumentUploads {
  const { db, secrets, links, clock } = options;
  return createDocumentUploads({ store: createUploadStore(db), secrets, links, clock });
}

type Options = Pick<Platform, "db" | "archive" | "secrets" | "clock"> &
  Pick<SoulReads, "index" | "souls"> & {
    readonly uploads: DocumentUploads;
    readonly derivedStore: DerivedChronicleStore;
    readonly derivedChronicles: DerivedChronicles;
  };

/** The documents of souls. */
export function buildDocuments(options: Options) {
  const { db, archive, secrets, clock, index, souls, uploads, derivedStore } = options;
  return {
    soulDocuments: createSoulDocumentService({
      souls,
      archive,
      secrets,
      clock,
      reads: index,
      store: createDocumentStore({ db, derived: derivedStore }),
      issue: (change) => uploads.issueChange(db, change),
      derived: options.derivedChronicles,
    }),
  };
}
