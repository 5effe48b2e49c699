import { and, eq, sql } from "drizzle-orm";
import { networksOf } from "../../kernel/networks.ts";
import type { Database, Executor } from "../database/connect.ts";
import {
  gasBudget,
  gasShare,
  STANDINGS,
  type Standing,
  sponsoredOperation,
  walletQuota,
} from "./tables.ts";

/** Whose share of the day's gas an operation takes. */
export interface Sponsor {
  /** The narrowest network that the request came from: see `networksOf`. */
  readonly network: string;
  readonly standing: Standing;
}

/** A transaction that the service would pay for. */
export interface Sponsored {
  /** Names the operation: asking again under the same name counts once. */
  readonly operationId: string;
  /** Gas that is set aside, which is more than the transaction uses. */
  readonly gas: bigint;
  /**
   * The wallet whose monthly registrations it counts on; null when it is not a registration, or is
   * exempt.
   */
  readonly registrant: string | null;
  readonly sponsor: Sponsor;
}

/** Why a reservation was refused: the share or quota that is used up. */
export const SPONSORSHIP_REFUSALS = ["wallet", "network", "strangers", "budget"] as const;
export type SponsorshipRefusal = (typeof SPONSORSHIP_REFUSALS)[number];

/** The limits of one reservation, in gas. */
export interface ReservationLimits {
  /** For a network's known owners and strangers together, the narrowest network first. */
  readonly networks: readonly bigint[];
  /** For a network's strangers. */
  readonly networkStrangers: readonly bigint[];
  /** For all strangers together. */
  readonly strangers: bigint;
  /** For all callers together. */
  readonly budget: bigint;
  /** Registrations of the wallet in the month. */
  readonly registrations: number;
}

/** Gas set aside on a day. */
export interface SponsoredGas {
  readonly all: bigint;
  readonly strangers: bigint;
}

/** The steps of a reservation that succeeded. */
interface Steps extends Record<string, unknown> {
  readonly operation: boolean;
  readonly wallet: boolean;
  readonly network: boolean;
  readonly budget: boolean;
}

export type SponsorshipStore = ReturnType<typeof createSponsorshipStore>;

/** Counts what the service pays for, within the transaction that accepts the operation: a refused operation is not counted. */
export function createSponsorshipStore(db: Database) {
  /** The counters of a reservation, in the order in which they are locked. */
  const countedOn = ({ network, standing }: Sponsor) =>
    networksOf(network).flatMap((each, width) =>
      STANDINGS.filter((part) => part === "known" || standing === "stranger").map((part) => ({
        network: each,
        standing: part,
        width,
      })),
    );

  /** The same with their limits, as JSON. */
  const sharesOf = (sponsor: Sponsor, { networks, networkStrangers }: ReservationLimits) =>
    countedOn(sponsor).map(({ network, standing, width }, place) => ({
      place,
      network,
      standing,
      limit: String((standing === "known" ? networks : networkStrangers)[width]),
    }));

  return {
    /**
     * One statement: two requests for the last of a share cannot both get it. After a refusal the
     * transaction must be rolled back.
     */
    async reserve(
      tx: Executor,
      { operationId, gas, registrant, sponsor }: Sponsored,
      { day, month }: { readonly day: string; readonly month: string },
      limits: ReservationLimits,
    ): Promise<"reserved" | SponsorshipRefusal> {
      const wallet = registrant?.toLowerCase() ?? null;
      const { network, standing } = sponsor;
      const isStranger = standing === "stranger";
      const strangersGas = isStranger ? gas : 0n;
      const limit =
        isStranger && limits.strangers < limits.budget ? limits.strangers : limits.budget;
      const shares = sharesOf(sponsor, limits);
      // Each step runs only if the one before it succeeded, so that rows are locked in one order: the
      // wallet's, the networks' from the narrowest on, and last the day's, which every reservation needs.
      const { rows } = await tx.execute<Steps>(sql`
        with operation as (
          insert into ${sponsoredOperation} (operation_id, day, gas, wallet, month, network, standing)
          values (${operationId}, ${day}, ${gas}, ${wallet}, ${month}, ${network}, ${standing})
          on conflict do nothing returning 1
        ), wallet as (
          insert into ${walletQuota} as quota (wallet, month, registrations)
          select ${wallet}::text, ${month}, 1 from operation where ${wallet}::text is not null
          on conflict (wallet, month) do update set registrations = quota.registrations + 1
          where quota.registrations < ${limits.registrations} returning 1
        ), wanted as (
          select * from json_to_recordset(${JSON.stringify(shares)}::json)
            as share(place integer, network text, standing text, "limit" bigint)
        ), counted as (
          insert into ${gasShare} as share (network, day, standing, gas)
          select network, ${day}, standing, ${gas}::bigint from wanted, operation
          where (${wallet}::text is null or exists (select from wallet))
            and ${gas}::bigint <= "limit"
          order by place
          on conflict (network, day, standing) do update set gas = share.gas + excluded.gas
          where share.gas + excluded.gas <= (
            select "limit" from wanted
            where wanted.network = share.network and wanted.standing = share.standing
          ) returning 1
        ), network as (
          select from counted having count(*) = ${shares.length}::integer
        ), budget as (
          insert into ${gasBudget} as budget (day, gas, strangers_gas)
          select ${day}, ${gas}::bigint, ${strangersGas}::bigint from network
          where ${gas}::bigint <= ${limit}::bigint
          on conflict (day) do update set
            gas = budget.gas + excluded.gas,
            strangers_gas = budget.strangers_gas + excluded.strangers_gas
          where budget.gas + excluded.gas <= ${limits.budget}::bigint
            and (${!isStranger} or budget.strangers_gas + excluded.gas <= ${limits.strangers}::bigint)
          returning 1
        )
        select exists (select from budget) as budget, exists (select from network) as network,
          exists (select from wallet) as wallet, exists (select from operation) as operation`);
      const steps = rows[0];
      if (steps === undefined) throw new Error("A reservation returned nothing.");
      if (!steps.operation || steps.budget) return "reserved";
      return refusedStep(steps, { hasWallet: wallet !== null, isStranger });
    },

    /** Releases the reservation of an operation that did not happen. Does nothing without one. */
    async release(tx: Executor, operationId: string): Promise<void> {
      const [reserved] = await tx
        .delete(sponsoredOperation)
        .where(eq(sponsoredOperation.operationId, operationId))
        .returning();
      if (reserved === undefined) return;
      const { wallet, month, day, gas, network, standing } = reserved;
      // In the order of `reserve`.
      if (wallet !== null) {
        await tx
          .update(walletQuota)
          .set({ registrations: sql`${walletQuota.registrations} - 1` })
          .where(and(eq(walletQuota.wallet, wallet), eq(walletQuota.month, month)));
      }
      for (const share of countedOn({ network, standing })) {
        await tx
          .update(gasShare)
          .set({ gas: sql`${gasShare.gas} - ${gas}` })
          .where(
            and(
              eq(gasShare.network, share.network),
              eq(gasShare.day, day),
              eq(gasShare.standing, share.standing),
            ),
          );
      }
      const strangersGas = standing === "stranger" ? gas : 0n;
      await tx
        .update(gasBudget)
        .set({
          gas: sql`${gasBudget.gas} - ${gas}`,
          strangersGas: sql`${gasBudget.strangersGas} - ${strangersGas}`,
        })
        .where(eq(gasBudget.day, day));
    },

    async used(day: string): Promise<SponsoredGas> {
      const [row] = await db.select().from(gasBudget).where(eq(gasBudget.day, day));
      return { all: row?.gas ?? 0n, strangers: row?.strangersGas ?? 0n };
    },
  };
}

function refusedStep(
  { wallet, network }: Steps,
  { hasWallet, isStranger }: { hasWallet: boolean; isStranger: boolean },
): SponsorshipRefusal {
  if (hasWallet && !wallet) return "wallet";
  if (!network) return "network";
  return isStranger ? "strangers" : "budget";
}
