// What other features and pages may use of this one.

export { AgentWalletSchema, agentWalletBody } from "./agent-wallet.schemas.ts";
export { alreadySubmitted, apiKeyOf, encryptedApiKey } from "./api-key.ts";
export type {
  PublicIdentity,
  RegistrationContext,
  RegistrationInput,
  RegistrationRequest,
} from "./content.ts";
export {
  allLeaves,
  assertConsistent,
  assertNamed,
  avatarContent,
  jsonContent,
  registrationFields,
  registrationFileJson,
  soulArchiveJson,
  unlistableServices,
} from "./content.ts";
export { WorldIdProofSchema } from "./human-proof.schemas.ts";
export { signedProof } from "./human-proof.ts";
export { agentWalletConsent, pendingMetadata } from "./owner-steps.ts";
export type { PassportBinding } from "./passport-binding.ts";
export type {
  ArchivePort,
  CompletedRegistration,
  FollowUp,
  RegistrationOrigin,
  RegistrationRecord,
} from "./ports.ts";
export type {
  RegisterOperation,
  RegisterOperationDeps,
  RegistrationKind,
} from "./register-operation.ts";
export { registerOperation } from "./register-operation.ts";
export type { PreparedRegistration, RegistrationService } from "./registration.ts";
export type { RegistrationStore } from "./registrations.store.ts";
export type { RegistrationResolver } from "./resolver.ts";
export { acceptableRequest } from "./resolver.ts";
export {
  AgentTypeSchema,
  CATEGORIES,
  EditedEndpointsSchema,
  MerkleLeavesSchema,
  NewIdentitySchema,
  NewNameSchema,
  PublicFieldsSchema,
  PublicIdentitySchema,
  RegistrationMessageSchema,
  RegistrationSchema,
  ServiceNameSchema,
  SignedRegistrationSchema,
  toRegistrationInput,
  UintSchema,
} from "./schemas.ts";
export { ACCEPTS_EVERY_SIGNATURE } from "./soul-registry.chain.ts";
export { RegistrationToSignSchema, registrationToSign } from "./to-sign.schemas.ts";
