import type { Address } from "viem";
import type { PostgresOperation } from "../../operations/operation.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { OwnedRows } from "./inventory.ts";

/** Rows of one kind, as an owner gets them. */
export interface ExportedRows extends Pick<OwnedRows, "name" | "description" | "deletion"> {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** False when there are more rows than an export holds. */
  readonly complete: boolean;
}

interface PrivateDataExport {
  readonly exportedAt: Date;
  readonly data: readonly ExportedRows[];
}

interface ExportRequest {
  readonly account: Address;
}

export const SALT_CHOICES = ["keep", "delete"] as const;
export type SaltChoice = (typeof SALT_CHOICES)[number];

interface DeletionRequest {
  readonly account: Address;
  /** Whether the salts of the account's souls are deleted too: a word, for wallets to show. */
  readonly salts: SaltChoice;
}

export interface PrivateDataDeletion extends DeletionRequest {
  /** ISO 8601: it is stored as JSON. */
  readonly deletedAt: string;
}

export interface PrivateDataStore {
  /** @throws ApiError INDEX_BEHIND, REGISTRY_PENDING: the index says which epochs are the account's. */
  read(account: Address): Promise<readonly ExportedRows[]>;
  /** Ends sessions, keys and webhooks of the account, and deletes what may be deleted. */
  delete(transaction: Transaction, deletion: PrivateDataDeletion): Promise<void>;
  /** @throws ApiError INDEX_BEHIND, REGISTRY_PENDING */
  assertIndexed(): Promise<void>;
}

/**
 * What an account does with the data that this service holds about it. Both take a signature of the
 * account and not a session: an account that has sold all of its passports cannot sign in, and a
 * stolen token must not reveal a salt.
 */
const byAccount = {
  settlement: "postgres",
  requestJson: (request: ExportRequest) => ({ ...request }),
  read: async () => null,
  signatures: ({ account }: ExportRequest) => [{ role: "owner" as const, signer: account }],
  subjects: () => [],
} as const;

export function exportOperation(
  store: PrivateDataStore,
  clock: () => Date,
): PostgresOperation<ExportRequest, null, null, PrivateDataExport> {
  return {
    ...byAccount,
    kind: "private_data_export",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ExportPrivateData" } },
    plan: async (request) => ({
      messages: { owner: { ...request } },
      payload: null,
      secrets: null,
      items: [],
    }),
    async settle({ account }) {
      return { exportedAt: clock(), data: await store.read(account) };
    },
  };
}

export function deletionOperation(
  store: PrivateDataStore,
  clock: () => Date,
): PostgresOperation<DeletionRequest, null, PrivateDataDeletion, PrivateDataDeletion> {
  return {
    ...byAccount,
    kind: "private_data_deletion",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "DeletePrivateData" } },
    plan: async (request) => ({
      messages: { owner: { ...request } },
      payload: { ...request, deletedAt: clock().toISOString() },
      secrets: null,
      items: [],
    }),
    async settle(_request, _snapshot, { payload }) {
      await store.assertIndexed();
      return payload;
    },
    // In the transaction that uses up the signature.
    async onAccept(transaction, { payload }) {
      await store.delete(transaction, payload);
    },
    // The same signature again: everything is deleted already.
    repeat: async ({ payload }) => payload,
  };
}
