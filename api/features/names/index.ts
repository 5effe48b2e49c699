// What other features and pages may use of this one.

export type { NameChallenge } from "./challenge.ts";
export { challengeQuestion, isRightAnswer } from "./challenge.ts";
export {
  assertNameFree,
  assertNameNotReserved,
  freeName,
  holdName,
  isNameReserved,
  keepName,
} from "./locks.store.ts";
export type { NamePorts, NameService } from "./names.ts";
export { createNameService } from "./names.ts";
export { nameChallenge, nameLock } from "./tables.ts";
