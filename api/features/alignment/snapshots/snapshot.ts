import type { Hex } from "viem";
import type { AlignmentBreakdown } from "../../../../protocol/index.ts";

/** A snapshot of one agent in one epoch. */
export interface OpenSnapshot {
  readonly id: string;
  readonly tokenId: bigint;
  readonly epoch: number;
  readonly createdAt: Date;
}

/** What is fixed once a snapshot is computed. */
export interface ScoredSnapshot {
  readonly score: number;
  readonly breakdown: AlignmentBreakdown;
  readonly scoredBlock: bigint;
  readonly scoredHash: Hex;
  readonly scoredAt: Date;
  /** The item to archive. */
  readonly content: string;
}

/** The progress of a snapshot, as users see it. */
export const SNAPSHOT_STATUSES = ["computing", "recording", "recorded", "dropped"] as const;

/** How far a snapshot has come. */
export interface SnapshotProgress {
  readonly snapshotId: string;
  readonly status: (typeof SNAPSHOT_STATUSES)[number];
  readonly openedAt: Date;
  /** Why no score came of it; null unless it was dropped. */
  readonly reason: string | null;
}
