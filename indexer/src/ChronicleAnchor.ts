import { ponder } from "ponder:registry";
import { batch } from "ponder:schema";
import { occurrenceOf } from "./occurrence.ts";

ponder.on("ChronicleAnchor:BatchAnchored", async ({ event, context }) => {
  const { batchId, ...values } = event.args;
  await context.db.insert(batch).values({ id: batchId, ...values, ...occurrenceOf(event) });
});
