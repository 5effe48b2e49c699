// What other features and pages may use of this one.

export { AgentWalletSchema, agentWalletBody } from "./agent-wallet.schemas.ts";
export { agentWalletConsent } from "./agent-wallet.ts";
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
  registrationDigest,
  registrationFileJson,
  registrationMessage,
  soulArchiveJson,
} from "./content.ts";
export type { RegistrationEngine } from "./engine.ts";
export { WorldIdProofSchema } from "./human-proof.schemas.ts";
export { signedProof } from "./human-proof.ts";
export type { PassportBinding } from "./passport-binding.ts";
export type { LeftMetadata } from "./pending-metadata.ts";
export { pendingMetadata } from "./pending-metadata.ts";
export type {
  ArchivePort,
  CompletedRegistration,
  FollowUp,
  PendingRegistration,
  RegistrationOrigin,
} from "./ports.ts";
export type { RegistrationService } from "./registration.ts";
export type { RegistrationResolver } from "./resolver.ts";
export { acceptableRequest } from "./resolver.ts";
export {
  AgentTypeSchema,
  CATEGORIES,
  EditedEndpointsSchema,
  MerkleLeavesSchema,
  NewNameSchema,
  PublicFieldsSchema,
  PublicIdentitySchema,
  RegistrationMessageSchema,
  RegistrationSchema,
  registrationTypedDataBody,
  SignedRegistrationSchema,
  toRegistrationInput,
  UintSchema,
} from "./schemas.ts";
export { ACCEPTS_EVERY_SIGNATURE } from "./soul-registry.chain.ts";
