// For integrators' own tests. Solidity mocks are in contracts/mocks.

export * from "./fixtures.ts";
export * from "./issuer.ts";
export * from "./start-issuer.ts";
export * from "./webhook.ts";
