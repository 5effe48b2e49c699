export { disclosureChain } from "./chain.ts";
export * from "./disclose.ts";
export * from "./document.ts";
export * from "./encryption.ts";
export * from "./receive.ts";
