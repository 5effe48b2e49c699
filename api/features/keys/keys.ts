import type { ApiKeyRecord } from "./api-keys.ts";

/** A key as its agent's owner sees it: neither the key nor its hash. */
export type ListedKey = Pick<
  ApiKeyRecord,
  | "id"
  | "kind"
  | "holder"
  | "hint"
  | "epoch"
  | "createdAt"
  | "revokedAt"
  | "lastUsedAt"
  | "exchangedAt"
>;

/** The keys of agents, for their owners. */
export interface AgentKeys {
  /**
   * A page of an agent's keys, of all epochs, the newest first.
   *
   * @param page `after` is the last key of the page before.
   */
  list(
    tokenId: bigint,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly keys: readonly ListedKey[]; readonly next: string | null }>;
  /** The agent whose key this is; null when there is no such key, or its registration is not claimed. */
  agentOf(keyId: string): Promise<bigint | null>;
  /** Ends the key now. Does nothing when it has ended. */
  revoke(keyId: string): Promise<void>;
}
