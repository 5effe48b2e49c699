// What other features and pages may use of this one.

export { DeclaredDocumentsSchema } from "./schemas.ts";
export type { DeclaredDocument, DocumentUploads, IssuedUpload } from "./uploads.ts";
