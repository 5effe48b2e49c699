// What other features and pages may use of this one.

export { apiKeyStore, lockKeysOf } from "./api-keys.store.ts";
export type { ApiKeyStore } from "./api-keys.ts";
export type { ProvisionalKeys } from "./exchange.ts";
export { EXCHANGE_MS } from "./exchange.ts";
export type { KeyUses } from "./last-use.store.ts";
export { apiKey } from "./tables.ts";
