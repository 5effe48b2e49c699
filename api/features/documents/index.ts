// What other features and pages may use of this one.

export type { SoulDocument, SoulDocumentService } from "./documents.ts";
export { DeclaredDocumentsSchema } from "./schemas.ts";
export { documentVersion } from "./tables.ts";
export type { DeclaredDocument, DocumentUploads, IssuedUpload } from "./uploads.ts";
