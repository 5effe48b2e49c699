export * from "./check.ts";
export * from "./domain-proof.ts";
export * from "./exchange.ts";
export * from "./file-facts.ts";
export * from "./grade.ts";
export * from "./services.ts";
export * from "./statement.ts";
