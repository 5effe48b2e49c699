import { ponder } from "ponder:registry";
import { alignment, soul } from "ponder:schema";
import { occurrenceOf } from "./occurrence.ts";

ponder.on("AlignmentRegistry:AlignmentRecorded", async ({ event, context }) => {
  const { tokenId, epoch, score, previousScore, archiveId, blockNumber } = event.args;
  await context.db.insert(alignment).values({
    tokenId,
    scoredBlock: blockNumber,
    epoch,
    score,
    previousScore,
    archiveId,
    ...occurrenceOf(event),
  });
  await context.db.update(soul, { tokenId }).set({
    alignmentScore: score,
    alignmentArchiveId: archiveId,
    alignmentBlock: blockNumber,
    alignmentAt: event.block.timestamp,
  });
});
