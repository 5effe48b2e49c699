export * from "./document.ts";
export * from "./errors.ts";
export { LEAST_PAYMENT, RATING_TAGS } from "./external-trust.ts";
export * from "./facts.ts";
export { factKey, lowerCaseHex } from "./order.ts";
export * from "./parse-document.ts";
export * from "./score.ts";
export { SPENDING_DAYS } from "./spending.ts";
export { chronicleFits, type PublicCapabilities, skillFits } from "./task-type.ts";
