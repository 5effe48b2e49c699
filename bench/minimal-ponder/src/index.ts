import { type EventNames, ponder } from "ponder:registry";
import { EVENTS } from "../contracts.ts";
import { event as eventTable } from "../ponder.schema.ts";

for (const name of EVENTS as readonly EventNames[]) {
  ponder.on(name, async ({ event, context }) => {
    if (!("log" in event)) return;
    await context.db.insert(eventTable).values({
      id: event.id,
      name,
      block: event.block.number,
      timestamp: event.block.timestamp,
      tx: event.transaction.hash,
      logIndex: event.log.logIndex,
    });
  });
}
