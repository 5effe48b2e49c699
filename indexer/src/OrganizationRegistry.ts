import { type Context, type Event, ponder } from "ponder:registry";
import { membership, membershipChange, organization, organizationAdmin, soul } from "ponder:schema";
import { type Address, zeroAddress } from "viem";
import { occurrenceOf, updateBy } from "./occurrence.ts";
import { storableText } from "./text.ts";

// Replacing an inactive membership emits MemberPruned, then MemberJoined. A registration joins
// after SoulRegistered.

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
    .values({ organizationId, version: 0, admin, kind: "FOUNDED", ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:AdminNamed", async ({ event, context }) => {
  const { organizationId, pendingAdmin, version } = event.args;
  await context.db
    .update(organization, { id: organizationId })
    .set({ pendingAdmin: pendingAdmin === zeroAddress ? null : pendingAdmin, version });
});

ponder.on("OrganizationRegistry:AdminChanged", async ({ event, context }) => {
  const { organizationId, admin, version } = event.args;
  await context.db
    .update(organization, { id: organizationId })
    .set({ admin, pendingAdmin: null, version });
  await context.db
    .insert(organizationAdmin)
    .values({ organizationId, version, admin, kind: "HANDED_OVER", ...occurrenceOf(event) });
});

ponder.on("OrganizationRegistry:MemberJoined", async ({ event, context }) => {
  await begin(context, event, { ...event.args, firstTokenId: event.args.tokenId, count: 1n });
});

// A batch joins only an organization whose admin is the agents' owner.
ponder.on("OrganizationRegistry:MembersJoined", async ({ event, context }) => {
  await begin(context, event, { ...event.args, admin: event.args.owner });
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
  await context.db.insert(membershipChange).values({
    ...event.args,
    kind: "PRUNED",
    ...occurrenceOf(event),
  });
});

/** The content of one event about agents with consecutive ids that joined. */
interface Joined {
  readonly organizationId: bigint;
  readonly owner: Address;
  readonly admin: Address;
  readonly firstTokenId: bigint;
  readonly count: bigint;
  readonly epoch: number;
  readonly version: number;
  readonly memberCount: bigint;
}

async function begin(
  context: Context,
  event: Event<"OrganizationRegistry:MemberJoined"> | Event<"OrganizationRegistry:MembersJoined">,
  joined: Joined,
): Promise<void> {
  const { organizationId, owner: by, admin, epoch, version, memberCount } = joined;
  const record = { organizationId, epoch, version, ...updateBy(event) };
  for (let i = 0n; i < joined.count; i += 1n) {
    const tokenId = joined.firstTokenId + i;
    await context.db
      .insert(membership)
      .values({ tokenId, ...record })
      .onConflictDoUpdate(record);
    await context.db.update(soul, { tokenId }).set({ lastActiveAt: event.block.timestamp });
    await context.db.insert(membershipChange).values({
      tokenId,
      version,
      kind: "JOINED",
      organizationId,
      epoch,
      by,
      admin,
      memberCount,
      ...occurrenceOf(event),
    });
  }
  await context.db.update(organization, { id: organizationId }).set({ memberCount });
}

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
