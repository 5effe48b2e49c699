import { MONTH_SECONDS } from "../../../../protocol/index.ts";
import type { IndexedSoul } from "../../../soul/index-reads.ts";

/** See the table `alignment_snapshot`. */
export const SNAPSHOT_STATES = [
  "computing",
  "computed",
  "archived",
  "recorded",
  "dropped",
] as const;

/** The states of a snapshot that is still under way. */
export const UNFINISHED = [
  "computing",
  "computed",
  "archived",
] as const satisfies readonly (typeof SNAPSHOT_STATES)[number][];

/** See the table `alignment_batch`. */
export const BATCH_STAGES = ["open", "recorded", "confirmed"] as const;

/** `requested` by the agent or its owner, or `scheduled` because the agent is active. */
export const SNAPSHOT_TRIGGERS = ["requested", "scheduled"] as const;

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

/** When an agent's present epoch is old enough for a score, in Unix seconds. */
export function scoredFrom({
  epoch,
  mintTimestamp,
  sealedAt,
}: Pick<IndexedSoul, "epoch" | "mintTimestamp" | "sealedAt">): bigint {
  // The first epoch begins with the registration, every other with its reseal.
  return (epoch === 1 ? mintTimestamp : (sealedAt ?? mintTimestamp)) + MONTH_SECONDS;
}
