import type { CursorPage, PageOf } from "../../kernel/list-pages.ts";
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

/** Where a key is in its agent's list. */
export type KeyPosition = Pick<ListedKey, "createdAt" | "id">;

/** The keys of agents, for their owners. */
export interface AgentKeys {
  /**
   * A page of an agent's keys, of all epochs, the newest first.
   */
  list(tokenId: bigint, page: CursorPage<KeyPosition>): Promise<PageOf<ListedKey, KeyPosition>>;
  /** The agent whose key this is; null when there is no such key, or its registration is not claimed. */
  agentOf(keyId: string): Promise<bigint | null>;
  /** Ends the key now. Does nothing when it has ended. */
  revoke(keyId: string): Promise<void>;
}
