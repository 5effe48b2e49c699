import type { Hex } from "viem";
import type { DisclosurePolicy } from "../../../protocol/index.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";
import type { SoulEpoch } from "../../soul/soul-ref.ts";
import type { ArchivedClaim } from "../verification/index.ts";
import type { Audit, OrganizationChain } from "./audits.ts";
import type { AuditPackage, AuditRecord } from "./records.ts";
import type { AuditedChronicle, ChronicleFacts, ChronicleTally } from "./verification.ts";

/** Archives the record of a completed audit, where its upload did not. */
export const AUDIT_ARCHIVE_JOB = "audits.archive";

/** Audits. @typeParam Transaction the database module's transaction. */
export interface AuditStore {
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  add(transaction: Transaction, audit: Audit): Promise<void>;
  find(id: string): Promise<Audit | null>;
  /** Locked until the transaction's end. */
  lock(transaction: Transaction, id: string): Promise<Audit | null>;
  /** Counts one try for each agent. Resolves to those that have had `max` already: not counted. */
  takeTries(
    transaction: Transaction,
    auditId: string,
    tokenIds: readonly bigint[],
    max: number,
  ): Promise<readonly bigint[]>;
  /** Writes the end, with the job that archives the record. */
  complete(
    transaction: Transaction,
    id: string,
    record: AuditRecord,
    completedAt: Date,
  ): Promise<void>;
  /** The record of a completed audit that is not archived yet; null for any other audit. */
  unarchived(id: string): Promise<AuditRecord | null>;
  archived(id: string, archiveId: string): Promise<void>;
  delivered(id: string, deliveredTo: string): Promise<void>;
}

/** What an audit reads from the chain. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface AuditChain extends OrganizationChain {
  /** What the chain has of these chronicles of one agent, as of a block. */
  chronicleFacts(
    tokenId: bigint,
    chronicles: readonly AuditedChronicle[],
    block: bigint,
  ): Promise<ChronicleFacts>;
}

/** The parts of an audit that need neither its file nor its signer. */
export interface AuditedHistory {
  /**
   * What the archive says of a soul; null when it is missing, altered or no record of a soul.
   *
   * @throws ApiError STORAGE_UNAVAILABLE, INDEX_BEHIND
   */
  archivedClaim(soul: ChainSoul): Promise<ArchivedClaim | null>;
  /** Checks all chronicles of a soul as of its block. */
  chronicles(soul: ChainSoul): Promise<ChronicleTally>;
}

/**
 * What is stored of souls, and who may see which of their fields.
 *
 * @typeParam Transaction the database module's transaction.
 */
export interface AuditedSecrets {
  /** The stored salt of a soul; null for none. */
  salt(soul: SoulEpoch): Promise<Hex | null>;
  /** The active policy, by default outside of a transaction. */
  policy(soul: SoulEpoch, transaction?: Transaction): Promise<DisclosurePolicy | null>;
}

/** Sends a package once. Resolves to the origin that took it; null when none did. */
export type DeliverPackage = (
  regulatoryDid: string,
  auditPackage: AuditPackage,
) => Promise<string | null>;
