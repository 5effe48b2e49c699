import { type Context, type Event, ponder } from "ponder:registry";
import { passport, soul } from "ponder:schema";
import { metadataPending } from "./metadata-pending.ts";

// The identity registry's own events hold what was written. Here only the owner's decisions are
// counted.

ponder.on("PassportWriter:AgentURIWritten", ({ event, context }) => decided(event, context));

ponder.on("PassportWriter:MetadataWritten", ({ event, context }) => decided(event, context));

async function decided(
  event: Event<"PassportWriter:AgentURIWritten"> | Event<"PassportWriter:MetadataWritten">,
  context: Context,
): Promise<void> {
  const { tokenId, version } = event.args;
  await context.db
    .update(soul, { tokenId })
    .set({ passportVersion: version, lastActiveAt: event.block.timestamp });
}

ponder.on("PassportWriter:MetadataPending", ({ event, context }) =>
  metadataPending(event, context),
);

// Any account can cause these two events, so they are not activity of the agent.

ponder.on("PassportWriter:MetadataSynced", ({ event, context }) => written(event, context));

ponder.on("PassportWriter:MetadataCleared", ({ event, context }) => written(event, context));

async function written(
  event: Event<"PassportWriter:MetadataSynced"> | Event<"PassportWriter:MetadataCleared">,
  context: Context,
): Promise<void> {
  const nothingPending = { metadataPendingAt: null, metadataPendingBlock: null };
  await context.db
    .insert(passport)
    .values({ id: event.args.passportId, ...nothingPending })
    .onConflictDoUpdate(nothingPending);
}
