import { desc, eq } from "drizzle-orm";
import type { Database } from "../../../platform/database/connect.ts";
import { alignmentSnapshot } from "../tables.ts";
import type { SnapshotProgress } from "./snapshot.ts";

const STATUS = {
  computing: "computing",
  computed: "computing",
  archived: "recording",
  recorded: "recorded",
  dropped: "dropped",
} as const satisfies Record<
  typeof alignmentSnapshot.$inferSelect.state,
  SnapshotProgress["status"]
>;

/** How far an agent's last snapshot has come; null without one. */
export function createSnapshotProgress(db: Database) {
  return async (tokenId: bigint): Promise<SnapshotProgress | null> => {
    const [row] = await db
      .select({
        snapshotId: alignmentSnapshot.id,
        state: alignmentSnapshot.state,
        openedAt: alignmentSnapshot.createdAt,
        reason: alignmentSnapshot.dropReason,
      })
      .from(alignmentSnapshot)
      .where(eq(alignmentSnapshot.tokenId, tokenId))
      .orderBy(desc(alignmentSnapshot.createdAt), desc(alignmentSnapshot.id))
      .limit(1);
    if (row === undefined) return null;
    const { snapshotId, state, openedAt, reason } = row;
    return { snapshotId, status: STATUS[state], openedAt, reason };
  };
}
