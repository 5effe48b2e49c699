// What other features and pages may use of this one.

export { apiKeyStore, issueOwnerKey, lockKeysOf, type WasStopped } from "./api-keys.store.ts";
export type { ApiKeyStore, KeyUses } from "./api-keys.ts";
export type { ProvisionalKeys } from "./exchange.ts";
export { EXCHANGE_MS } from "./exchange.ts";
export type { AgentKeys, ListedKey } from "./keys.ts";
export { apiKey } from "./tables.ts";
