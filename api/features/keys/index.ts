// What other features and pages may use of this one.

export {
  apiKeyStore,
  issueOwnerKey,
  keepForExchange,
  lockKeysOf,
  type WasStopped,
} from "./api-keys.store.ts";
export type { AgentKeys, ListedKey } from "./build.ts";
export type { ProvisionalKeys } from "./exchange.ts";
export { EXCHANGE_MS } from "./exchange.ts";
export type { KeyUses } from "./last-use.store.ts";
export { apiKey } from "./tables.ts";
