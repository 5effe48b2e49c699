import type { Context, Event } from "ponder:registry";
import { passport } from "ponder:schema";

/**
 * Records that the `svc*` metadata of a passport was left out. The passport may not have been seen
 * before.
 */
export async function metadataPending(
  event: Event<"SoulRegistry:MetadataPending"> | Event<"PassportWriter:MetadataPending">,
  context: Context,
): Promise<void> {
  const pending = {
    metadataPendingAt: event.block.timestamp,
    metadataPendingBlock: event.block.number,
  };
  await context.db
    .insert(passport)
    .values({ id: event.args.passportId, ...pending })
    .onConflictDoUpdate(pending);
}
