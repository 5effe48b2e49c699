import type { ApiKeyKind } from "../../kernel/api-keys.ts";

/** Who was given a key: the agent itself, or its owner. */
export const KEY_HOLDERS = ["agent", "owner"] as const;

export type KeyHolder = (typeof KEY_HOLDERS)[number];

/** What is kept of a key. */
export interface ApiKeyRecord {
  /** Names the key where the key itself must not stand. */
  readonly id: string;
  /** SHA-256 of the whole key. */
  readonly hash: Buffer;
  /** The key's last characters, from its checksum. Null for keys from before these were kept. */
  readonly hint: string;
  readonly kind: ApiKeyKind;
  readonly holder: KeyHolder;
  /** Certificate the key acts for; null for a provisional key before the claim. */
  readonly tokenId: bigint | null;
  /** Registration a provisional key was issued with. */
  readonly registrationId: string | null;
  /** Seal epoch it belongs to; dead in any other. Null exactly when `tokenId` is. */
  readonly epoch: number | null;
  readonly createdAt: Date;
  /** When it ends. A time in the future is a grace period. */
  readonly revokedAt: Date | null;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Date | null;
  /** When a provisional key was exchanged for a full one. */
  readonly exchangedAt: Date | null;
}

/** A key that is issued. */
export type NewApiKey = Omit<ApiKeyRecord, "id" | "revokedAt" | "lastUsedAt" | "exchangedAt"> & {
  readonly revokedAt?: Date;
};

/** Records the use of keys, by their hashes. */
export type KeyUses = (hash: Buffer) => Promise<void>;

/** Where keys are kept. */
export interface ApiKeyStore {
  /** Resolves to the new key's id. Rejects when the hash is already stored. */
  insert(record: NewApiKey): Promise<string>;
  /** The record, revoked or not; null when it was never issued. */
  find(hash: Buffer): Promise<ApiKeyRecord | null>;
  /** Records that the key was presented. */
  recordUse(hash: Buffer, at: Date): Promise<void>;
  /** Whether this call is the one that revoked it. A time in the future is a grace period. */
  revoke(hash: Buffer, at: Date): Promise<boolean>;
  /** Whether the agent itself holds a live key at `at`, provisional or full. */
  hasAgentKey(tokenId: bigint, at: Date): Promise<boolean>;
  /** Revokes what is live of an agent's keys, provisional ones included. Resolves to how many. */
  revokeAllOfToken(tokenId: bigint, at: Date): Promise<number>;
  /** Revokes what is live of an agent's provisional keys. Resolves to how many. */
  revokeProvisionalOfToken(tokenId: bigint, at: Date): Promise<number>;
  /** Revokes what is live of a registration's provisional keys. Resolves to how many. */
  revokeAllOfRegistration(registrationId: string, at: Date): Promise<number>;
  /**
   * Makes a registration's provisional key one of the agent's keys, which can be exchanged until `until`. Within the transaction
   * that issues the claim's key. Where the owner has rotated the agent's keys already, the provisional key ends at `at` instead,
   * and this resolves to false.
   */
  keepForExchange(keys: {
    readonly registrationId: string;
    readonly tokenId: bigint;
    readonly epoch: number;
    readonly at: Date;
    readonly until: Date;
  }): Promise<boolean>;
}
