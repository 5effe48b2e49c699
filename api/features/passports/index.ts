// What other features and pages may use of this one.

export type { LooseFile } from "./file-edit.ts";
export { describesSoul, editedFile, fileContent, looseWithoutIds, NO_EDIT } from "./file-edit.ts";
export type { FileDeps } from "./file-update.ts";
export { isUnreadableFile, plannedFile } from "./file-update.ts";
export type { OwnerTransaction, TransactionDeployment } from "./owner-transactions.ts";
export { agentUriTransaction, validationRequestTransaction } from "./owner-transactions.ts";
export type { PassportFiles } from "./passport-files.ts";
export { ANYWHERE, unreadableFile } from "./passport-files.ts";
export type { RegistrationFileService } from "./registration-file.ts";
export type { RegistrationFiles } from "./remembered-files.ts";
export { METADATA_UPDATES, OwnerTransactionSchema } from "./schemas.ts";
export { createPassportTransactions } from "./transactions.chain.ts";
export { LEFT_METADATA, UnsignedTransactionSchema } from "./transactions.schemas.ts";
export type { MetadataUpdates, PassportUpdateService } from "./updates.ts";
export { metadataLeft, metadataUpdates } from "./updates.ts";
