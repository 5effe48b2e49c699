export * from "./allowance.ts";
