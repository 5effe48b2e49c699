import { type Context, type Event, ponder } from "ponder:registry";
import { membership, membershipChange, organization, organizationAdmin, soul } from "ponder:schema";
import { occurrenceOf, updateBy } from "./occurrence.ts";
import { storableText } from "./text.ts";

// Who replaces a dead membership emits MemberPruned, then MemberJoined. A registration that joins does so after SoulRegistered.

ponder.on("OrganizationRegistry:OrganizationCreated", async ({ event, context }) => {
  const { organizationId, admin, name } = event.args;
  await context.db.insert(organization).values({
    id: organizationId,
    admin,
    founder: admin,
    name: storableText(name),
    createdAt: event.block.timestamp,
    createdBlock: event.block.number,
    createTx: event.transaction.hash,
  });
  await context.db
    .insert(organizationAdmin)
    .values({ organizationId, version: 0, admin, ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:AdminChanged", async ({ event, context }) => {
  const { organizationId, admin, version } = event.args;
  await context.db.update(organization, { id: organizationId }).set({ admin, version });
  await context.db
    .insert(organizationAdmin)
    .values({ organizationId, version, admin, ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:MemberJoined", async ({ event, context }) => {
  const { owner, ...joined } = event.args;
  const { tokenId, organizationId, epoch, version, memberCount } = joined;
  const record = { organizationId, epoch, version, ...updateBy(event) };
  await context.db
    .insert(membership)
    .values({ tokenId, ...record })
    .onConflictDoUpdate(record);
  await context.db.update(organization, { id: organizationId }).set({ memberCount });
  await context.db.update(soul, { tokenId }).set({ lastActiveAt: event.block.timestamp });
  await context.db
    .insert(membershipChange)
    .values({ ...joined, kind: "JOINED", by: owner, ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:MemberLeft", async ({ event, context }) => {
  const { endedBy: by, ...left } = event.args;
  await end(context, event);
  await context.db
    .insert(membershipChange)
    .values({ ...left, kind: "LEFT", by, ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:MemberPruned", async ({ event, context }) => {
  await end(context, event);
  await context.db
    .insert(membershipChange)
    .values({ ...event.args, kind: "PRUNED", ...occurrenceOf(event) });
});

async function end(
  context: Context,
  event: Event<"OrganizationRegistry:MemberLeft"> | Event<"OrganizationRegistry:MemberPruned">,
): Promise<void> {
  const { tokenId, organizationId, version, memberCount } = event.args;
  await context.db
    .update(membership, { tokenId })
    .set({ organizationId: null, epoch: null, version, ...updateBy(event) });
  await context.db.update(organization, { id: organizationId }).set({ memberCount });
}
