import { ponder } from "ponder:registry";
import { binding, bindingChange, soul } from "ponder:schema";
import { AUTHORITIES, nameOf } from "../enums.ts";
import { occurrenceOf, updateBy } from "./occurrence.ts";
import { storableText } from "./text.ts";

ponder.on("BindingRegistry:BindingSet", async ({ event, context }) => {
  const { bindingId, fromTokenId, toTokenId, previousTrustLevel, ...record } = event.args;
  const values = {
    ...record,
    authority: nameOf(AUTHORITIES, record.authority),
    context: storableText(record.context),
  };
  await context.db
    .insert(binding)
    .values({
      fromTokenId,
      toTokenId,
      bindingId,
      createdAt: event.block.timestamp,
      ...values,
      ...updateBy(event),
    })
    .onConflictDoUpdate({ ...values, ...updateBy(event) });
  await context.db
    .update(soul, { tokenId: fromTokenId })
    .set({ lastActiveAt: event.block.timestamp });
  await context.db.insert(bindingChange).values({
    fromTokenId,
    toTokenId,
    previousTrustLevel,
    ...values,
    ...occurrenceOf(event),
  });
});
