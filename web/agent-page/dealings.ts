import type { Hex } from "viem";
import type { TrustLevel } from "../../api/features/bindings/index.ts";
import type { IndexAge } from "../../api/soul/index-age.ts";
import type { IndexedPoint, Reading } from "../../api/soul/index-reads.ts";
import type { AllowanceAmount } from "../../protocol/allowance.ts";

/** Days of spending that the page shows, the present one included. */
export const SPENDING_DAYS = 30;
/** Partners that the page draws. */
export const SHOWN_PARTNERS = 12;

/** What an owner permits its agent to pay, in base units of the stablecoin. */
export interface IndexedAllowance extends Readonly<Record<AllowanceAmount, bigint>> {
  /** 0 when payments were tried, and the owner has decided nothing. */
  readonly version: number;
  /** The owner's last decision. */
  readonly active: boolean;
  /** Last Unix second; null when the owner ended it or set none. */
  readonly validUntil: bigint | null;
  /** Whether payments need the passport's agentWallet, which is not indexed, to be the operator. */
  readonly onlyWithAgentWallet: boolean;
}

/** What was paid or reported on one UTC day, counted in days since 1970. */
export interface DaySpending {
  readonly day: number;
  readonly spent: bigint;
}

/** An agent whose binding with the shown one counts as far as it itself is concerned. */
export interface BoundPartner {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly soulHash: Hex | null;
  /** How far the shown agent trusts it; null for no binding in this direction. */
  readonly outbound: TrustLevel | null;
  readonly inbound: TrustLevel | null;
}

/** With whom an agent deals, and what it may pay. */
export interface AgentDealings {
  /** Of the organization that it is recorded in; empty when its founder gave none, null without one. */
  readonly organizationName: string | null;
  /** Of the present epoch. Null when nothing was decided or tried in it. */
  readonly allowance: IndexedAllowance | null;
  /** Of the present epoch, only days with payments, the oldest first. */
  readonly spending: readonly DaySpending[];
  readonly bindings: {
    /** Those that the agent chose itself come first, and among them the most trusted ones. */
    readonly partners: readonly BoundPartner[];
    /** Partners beyond those. */
    readonly more: number;
    /** Whether there may be more than were looked at. */
    readonly isPartial: boolean;
  };
}

/** The index as this page uses it. */
export interface DealingReads {
  /** One statement, whose work has a limit. Null when no soul of this id is indexed. */
  dealings(tokenId: bigint): Promise<Reading<AgentDealings | null>>;
}

/** @returns null while the index is too old to say whose seals are valid. */
export type DealingsOf = (tokenId: bigint) => Promise<Reading<AgentDealings> | null>;

/** What an agent's page says of dealings, only from a recent index. */
export function currentDealings(reads: DealingReads, age: Pick<IndexAge, "isFresh">): DealingsOf {
  return async (tokenId) => {
    const { at, value } = await reads.dealings(tokenId);
    return value !== null && age.isFresh(at) ? { at, value } : null;
  };
}

const DAY_SECONDS = 86_400n;

/** Days since 1970, in UTC. */
function dayOf({ timestamp }: Pick<IndexedPoint, "timestamp">): number {
  return Number(timestamp / DAY_SECONDS);
}

/** What the allowance permits at a moment. */
export type AllowanceStanding = "none" | "ended" | "expired" | "active";

/** Whether the agent may pay, as far as its allowance is concerned. */
export function allowanceStanding(
  allowance: IndexedAllowance | null,
  { timestamp }: Pick<IndexedPoint, "timestamp">,
): AllowanceStanding {
  if (allowance === null || allowance.version === 0) return "none";
  if (!allowance.active || allowance.validUntil === null) return "ended";
  return allowance.validUntil < timestamp ? "expired" : "active";
}

/** Every day that the page shows, the oldest first: zero where nothing was paid. */
export function everyDay(
  spending: readonly DaySpending[],
  at: Pick<IndexedPoint, "timestamp">,
): readonly DaySpending[] {
  const spent = new Map(spending.map((one) => [one.day, one.spent]));
  const first = dayOf(at) - SPENDING_DAYS + 1;
  return Array.from({ length: SPENDING_DAYS }, (_, index) => {
    const day = first + index;
    return { day, spent: spent.get(day) ?? 0n };
  });
}
