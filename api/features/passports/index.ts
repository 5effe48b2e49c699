// What other features and pages may use of this one.

export type { LooseFile } from "./file-edit.ts";
export { describesSoul, editedFile, fileContent, looseWithoutIds, NO_EDIT } from "./file-edit.ts";
export type { FileDeps } from "./file-update.ts";
export { isUnreadableFile, plannedFile } from "./file-update.ts";
export type {
  OwnerTransaction,
  PassportTransactions,
  TransactionDeployment,
} from "./owner-transactions.ts";
export {
  agentUriTransaction,
  createPassportTransactions,
  validationRequestTransaction,
} from "./owner-transactions.ts";
export type { PassportFiles } from "./passport-files.ts";
export { ANYWHERE, unreadableFile } from "./passport-files.ts";
export type { RegistrationFileService } from "./registration-file.ts";
export type { RegistrationFiles } from "./remembered-files.ts";
export {
  LEFT_METADATA,
  METADATA_UPDATES,
  OwnerTransactionSchema,
  UnsignedTransactionSchema,
} from "./schemas.ts";
export type { MetadataUpdates, PassportUpdateService } from "./updates.ts";
export { metadataLeft, metadataUpdates } from "./updates.ts";
