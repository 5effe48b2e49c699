// What other features and pages may use of this one.

export type { DisclosureStore } from "./context.ts";
export { createDisclosureStore } from "./disclosures.store.ts";

export { activePolicy } from "./policies.store.ts";
export type {
  ConfirmedAnswer,
  FulfilledAnswer,
  RequestAnswerSchema,
  WaitingRequestsAnswer,
} from "./requests/schemas.ts";
export { FieldSchema, MerkleProofSchema, ProvenFieldSchema } from "./schemas.ts";
export { createSoulSecrets } from "./soul-secrets.store.ts";
export { disclosure, disclosurePolicy, disclosureRequest } from "./tables.ts";
