import type { ApiKeyRecord } from "./api-keys.ts";

/** A key as its agent's owner sees it: neither the key nor its hash. */
export type ListedKey = Pick<
  ApiKeyRecord,
  "id" | "kind" | "holder" | "hint" | "epoch" | "createdAt" | "revokedAt" | "exchangedAt"
>;

/** The keys of agents, for their owners. */
export interface AgentKeys {
  /** An agent's keys, of all epochs, the newest first. */
  list(tokenId: bigint): Promise<readonly ListedKey[]>;
  /** The agent whose key this is; null when there is no such key, or its registration is not claimed. */
  agentOf(keyId: string): Promise<bigint | null>;
  /** Ends the key now. Does nothing when it has ended. */
  revoke(keyId: string): Promise<void>;
}
