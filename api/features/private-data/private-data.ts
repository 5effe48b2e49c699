import type { Address } from "viem";
import type { OffChainMessage } from "../../../protocol/index.ts";
import type { OperationPlan, PostgresOperation } from "../../operations/operation.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { OwnedRows } from "./inventory.ts";

/** Rows of one kind, as an owner gets them. */
export interface ExportedRows extends Pick<OwnedRows, "name" | "description" | "deletion"> {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** False when there are more rows than an export holds. */
  readonly complete: boolean;
}

export interface PrivateDataExport {
  readonly account: Address;
  readonly exportedAt: Date;
  readonly data: readonly ExportedRows[];
}

export interface ExportRequest {
  readonly account: Address;
}

export const SALT_CHOICES = ["keep", "delete"] as const;
export type SaltChoice = (typeof SALT_CHOICES)[number];

export interface DeletionRequest {
  readonly account: Address;
  /** Whether the salts of the account's souls are deleted too: a word, for wallets to show. */
  readonly salts: SaltChoice;
}

export interface PrivateDataDeletion extends DeletionRequest {
  /** ISO 8601: it is stored as JSON. */
  readonly deletedAt: string;
}

export type ExportMessage = OffChainMessage<"ExportPrivateData">;
export type DeletionMessage = OffChainMessage<"DeletePrivateData">;

export interface PrivateDataStore {
  /** @throws ApiError INDEX_BEHIND, REGISTRY_PENDING: the index says which epochs are the account's. */
  read(account: Address): Promise<readonly ExportedRows[]>;
  /** Ends sessions, keys and webhooks of the account, and deletes what may be deleted. */
  delete(transaction: Transaction, deletion: PrivateDataDeletion): Promise<void>;
  /** @throws ApiError INDEX_BEHIND, REGISTRY_PENDING */
  assertIndexed(): Promise<void>;
}

export interface PrivateDataOperations {
  readonly exporting: PostgresOperation<ExportRequest, null, null, PrivateDataExport>;
  readonly deleting: PostgresOperation<
    DeletionRequest,
    null,
    PrivateDataDeletion,
    PrivateDataDeletion
  >;
}

/**
 * What an account does with the data that this service holds about it. Both take a signature of the
 * account and not a session: an account that has sold all of its passports cannot sign in, and a
 * stolen token must not reveal a salt.
 */
export function privateDataOperations(
  store: PrivateDataStore,
  clock: () => Date,
): PrivateDataOperations {
  return {
    exporting: {
      kind: "private_data_export",
      settlement: "postgres",
      messageTypes: { owner: { contract: "SoulRegistry", primaryType: "ExportPrivateData" } },
      requestJson: ({ account }) => ({ account }),
      read: async () => null,
      signatures: ({ account }) => [{ role: "owner", signer: account }],
      subjects: () => [],
      plan: async ({ account }) => planned({ account }, null),
      async settle({ account }) {
        return { account, exportedAt: clock(), data: await store.read(account) };
      },
    },
    deleting: {
      kind: "private_data_deletion",
      settlement: "postgres",
      messageTypes: { owner: { contract: "SoulRegistry", primaryType: "DeletePrivateData" } },
      requestJson: ({ account, salts }) => ({ account, salts }),
      read: async () => null,
      signatures: ({ account }) => [{ role: "owner", signer: account }],
      subjects: () => [],
      plan: async (request) =>
        planned({ ...request }, { ...request, deletedAt: clock().toISOString() }),
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
    },
  };
}

function planned<Payload>(owner: object, payload: Payload): OperationPlan<Payload> {
  return { messages: { owner }, payload, secrets: null, items: [] };
}
