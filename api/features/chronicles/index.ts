// What other features and pages may use of this one.

export type { ChronicleProofs } from "./batches/proofs.http.ts";
export { hashesOf } from "./chronicles.store.ts";
export type { ChronicleService, RecordedChronicle } from "./chronicles.ts";
export { queueIdOf } from "./chronicles.ts";
export type { DerivedChronicleStore, DerivedChronicles } from "./derived.ts";
export type { RecordedSchema } from "./schemas.ts";
export { chronicle, chronicleBatch, chronicleRequest, chronicleState } from "./tables.ts";
