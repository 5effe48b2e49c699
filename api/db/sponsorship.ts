import { and, eq, lte, sql } from "drizzle-orm";
import type { SponsorshipStore } from "../services/sponsorship.ts";
import type { Executor } from "./connect.ts";
import { gasBudget, sponsoredOperation, walletQuota } from "./schema.ts";

/** What the service pays for, counted in Postgres. Each count is raised and checked in one statement. */
export const sponsorshipStore: SponsorshipStore<Executor> = {
  async reserve(tx, { operationId, gas, registrant }, { day, month }, limits) {
    const wallet = registrant?.toLowerCase() ?? null;
    const added = await tx
      .insert(sponsoredOperation)
      .values({ operationId, day, gas, wallet, month })
      .onConflictDoNothing()
      .returning({ operationId: sponsoredOperation.operationId });
    if (added.length === 0) return "reserved";

    // The wallet first: whoever is over its own number must not wait for the row that everybody wants.
    if (wallet !== null) {
      const counted = await tx
        .insert(walletQuota)
        .values({ wallet, month, registrations: 1 })
        .onConflictDoUpdate({
          target: [walletQuota.wallet, walletQuota.month],
          set: { registrations: sql`${walletQuota.registrations} + 1` },
        })
        .returning({ registrations: walletQuota.registrations });
      const registrations = counted[0]?.registrations ?? Number.POSITIVE_INFINITY;
      if (registrations > limits.registrationsPerMonth) return "wallet_exhausted";
    }
    if (gas > limits.gasPerDay) return "budget_exhausted";
    const paid = await tx
      .insert(gasBudget)
      .values({ day, gas })
      .onConflictDoUpdate({
        target: gasBudget.day,
        set: { gas: sql`${gasBudget.gas} + ${gas}` },
        setWhere: lte(sql`${gasBudget.gas} + ${gas}`, limits.gasPerDay),
      })
      .returning({ gas: gasBudget.gas });
    return paid.length === 1 ? "reserved" : "budget_exhausted";
  },

  async release(tx, operationId) {
    const [given] = await tx
      .delete(sponsoredOperation)
      .where(eq(sponsoredOperation.operationId, operationId))
      .returning();
    if (given === undefined) return;
    const { wallet, month, day, gas } = given;
    if (wallet !== null) {
      await tx
        .update(walletQuota)
        .set({ registrations: sql`${walletQuota.registrations} - 1` })
        .where(and(eq(walletQuota.wallet, wallet), eq(walletQuota.month, month)));
    }
    await tx
      .update(gasBudget)
      .set({ gas: sql`${gasBudget.gas} - ${gas}` })
      .where(eq(gasBudget.day, day));
  },
};
