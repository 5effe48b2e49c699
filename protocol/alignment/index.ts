export * from "./document.ts";
export * from "./errors.ts";
export * from "./facts.ts";
export * from "./parse-document.ts";
export * from "./score.ts";
export { chronicleFits, type PublicCapabilities, skillFits } from "./task-type.ts";
