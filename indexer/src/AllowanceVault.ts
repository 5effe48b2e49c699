import { type Context, type Event, ponder } from "ponder:registry";
import { allowance, allowanceChange, earning, soul, spend } from "ponder:schema";
import { zeroHash } from "viem";
import { eachAmount } from "../../protocol/allowance.ts";
import { ALLOWANCE_REASONS } from "../../protocol/allowance-reasons.ts";
import { nameOf } from "../enums.ts";
import { occurrenceOf } from "./occurrence.ts";

const SECONDS_OF_A_DAY = 86_400n;

ponder.on("AllowanceVault:AllowanceSet", async ({ event, context }) => {
  const { tokenId, epoch, owner, version, onlyWithAgentWallet } = event.args;
  const validUntil = BigInt(event.args.validUntil);
  const amounts = eachAmount((name) => event.args[name]);
  const limits = { ...amounts, validUntil, onlyWithAgentWallet };
  const decision = { version, active: true, ...limits };
  await context.db
    .insert(allowance)
    .values({ tokenId, epoch, owner, ...decision })
    .onConflictDoUpdate(decision);
  await context.db
    .insert(allowanceChange)
    .values({ ...event.args, validUntil, kind: "SET", ...occurrenceOf(event) });
  await markActive(context, event);
});

ponder.on("AllowanceVault:AllowanceDeactivated", async ({ event, context }) => {
  const { tokenId, epoch, version } = event.args;
  await context.db
    .update(allowance, { tokenId, epoch })
    .set({ version, active: false, validUntil: null });
  await context.db
    .insert(allowanceChange)
    .values({ ...event.args, kind: "DEACTIVATED", ...occurrenceOf(event) });
  await markActive(context, event);
});

ponder.on("AllowanceVault:Spent", async ({ event, context }) => {
  const { recipient, owner, amount, digest } = event.args;
  await context.db.insert(spend).values({
    ...event.args,
    digest: digest === zeroHash ? null : digest,
    kind: "ALLOWED",
    withinLimits: true,
    reason: "NONE",
    ...occurrenceOf(event),
  });
  await count(context, event, (row) => ({
    paidCount: row.paidCount + 1,
    paidAmount: row.paidAmount + amount,
  }));
  await context.db
    .insert(earning)
    .values({ recipient, owner, payments: 1, amount })
    .onConflictDoUpdate((row) => ({ payments: row.payments + 1, amount: row.amount + amount }));
});

ponder.on("AllowanceVault:SpendRefused", async ({ event, context }) => {
  const reason = nameOf(ALLOWANCE_REASONS, event.args.reason);
  await context.db.insert(spend).values({
    ...event.args,
    kind: "REFUSED",
    withinLimits: reason === "TRANSFER_FAILED",
    reason,
    ...occurrenceOf(event),
  });
  await count(context, event, (row) => ({ refusedCount: row.refusedCount + 1 }));
});

ponder.on("AllowanceVault:SpendReported", async ({ event, context }) => {
  const { amount } = event.args;
  await context.db.insert(spend).values({
    ...event.args,
    kind: "REPORTED",
    reason: nameOf(ALLOWANCE_REASONS, event.args.reason),
    ...occurrenceOf(event),
  });
  await count(context, event, (row) => ({
    reportedCount: row.reportedCount + 1,
    reportedAmount: row.reportedAmount + amount,
  }));
});

type Payment = Event<
  "AllowanceVault:Spent" | "AllowanceVault:SpendRefused" | "AllowanceVault:SpendReported"
>;
type Counters = Pick<
  typeof allowance.$inferSelect,
  "paidCount" | "paidAmount" | "refusedCount" | "reportedCount" | "reportedAmount"
>;

const NOTHING: Counters = {
  paidCount: 0,
  paidAmount: 0n,
  refusedCount: 0,
  reportedCount: 0,
  reportedAmount: 0n,
};

/** An operator can try and report payments also in an epoch without an allowance. */
async function count(
  context: Context,
  event: Payment,
  raise: (row: Counters) => Partial<Counters>,
): Promise<void> {
  const { tokenId, epoch, owner, spentToday } = event.args;
  const spentDay = Number(event.block.timestamp / SECONDS_OF_A_DAY);
  await context.db
    .insert(allowance)
    .values({ tokenId, epoch, owner, spentDay, spentToday, ...raise(NOTHING) })
    .onConflictDoUpdate((row) => ({ spentDay, spentToday, ...raise(row) }));
  await markActive(context, event);
}

async function markActive(
  context: Context,
  { args, block }: { args: { tokenId: bigint }; block: { timestamp: bigint } },
): Promise<void> {
  await context.db.update(soul, { tokenId: args.tokenId }).set({ lastActiveAt: block.timestamp });
}
