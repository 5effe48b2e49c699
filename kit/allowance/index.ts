export * from "./allowance.ts";
export * from "./seller.ts";
export { termsHashOf } from "./x402.ts";
