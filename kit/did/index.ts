export type { DidMethodResolver, DidResolutionResult } from "./resolution.ts";
export type {
  AgentKeysContract,
  DidNetwork,
  DidResolverOptions,
  StorageGateway,
} from "./resolver.ts";
export { getResolver } from "./resolver.ts";
