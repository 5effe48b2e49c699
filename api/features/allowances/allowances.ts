import type { Address, Hex } from "viem";
import type { OverspendingReason } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ListPage } from "../../kernel/list-pages.ts";
import type { IndexedPoint, Reading } from "../../soul/index-reads.ts";

/** Why the allowance does not permit a payment, as the contract says it. */
export type Reason = OverspendingReason;

/** An agent's allowance and its owner's money in one block. Amounts are base units of the stablecoin. */
export interface AllowanceState {
  readonly block: bigint;
  /** Unix seconds of the block, as every time here. */
  readonly blockTime: bigint;
  /** Null when there is no such soul. */
  readonly agentName: string | null;
  /** Zero when there is no such soul. */
  readonly passportId: bigint;
  /** The live owner; null while the soul is not valid. */
  readonly owner: Address | null;
  readonly epoch: number;
  /** What the next decision is signed over. */
  readonly version: number;
  readonly perTransaction: bigint;
  readonly dailyLimit: bigint;
  /** What the owner last decided. A payment needs more: see `reason`. */
  readonly active: boolean;
  /** What forbids every payment; null for nothing. */
  readonly reason: Reason | null;
  /** The last second, inclusive; null when the owner ended it or set none. */
  readonly validUntil: number | null;
  /** Whether payments need the passport's agentWallet to be the operator. */
  readonly onlyWithAgentWallet: boolean;
  readonly usage: {
    readonly spentToday: bigint;
    readonly remainingToday: bigint;
    readonly periodStart: bigint;
    /** Exclusive. */
    readonly periodEnd: bigint;
  };
  readonly funding: Funding;
}

/** What the owner has, and how much of it the vault may move. All agents of the owner share both. */
export interface Funding {
  readonly balance: bigint;
  readonly approved: bigint;
}

export interface Spendability {
  readonly spendable: { readonly allowed: boolean; readonly reason: Reason | null };
}

/** The chain as allowances are read from it. Bounded in time; rejects with CHAIN_UNAVAILABLE. */
export interface AllowanceVault {
  stateOf(tokenId: bigint): Promise<AllowanceState>;
  /** The state, and whether this amount can be paid in that block. */
  canSpend(tokenId: bigint, amount: bigint): Promise<AllowanceState & Spendability>;
  /** Unix seconds of a block. */
  timeOf(block: bigint): Promise<bigint>;
}

/** What is indexed of an agent's payments today, and of all agents of its owner. */
export interface IndexedUsage {
  /** Payments of the day that counted: made or reported. */
  readonly transactionsToday: number;
  readonly shared: SharedFunding;
}

/** All agents of one owner that can pay from its wallet now. */
export interface SharedFunding {
  readonly agents: number;
  /** The sum of their daily limits, and what these leave today. */
  readonly dailyLimit: bigint;
  readonly remainingToday: bigint;
}

/** A payment that was made, refused or reported. */
export interface PaymentRecord {
  readonly status: "paid" | "refused" | "reported";
  readonly amount: bigint;
  readonly recipient: Address;
  /** The agent that takes payments at `recipient`; null for none, and for several. */
  readonly recipientAgent: string | null;
  readonly timestamp: bigint;
  readonly txHash: Hex;
  readonly withinLimits: boolean;
  /** Null when nothing was violated. */
  readonly violationType: Reason | "TRANSFER_FAILED" | null;
  readonly paymentRef: Hex;
  /** EIP-712 digest of the signed payment; null without a signature. */
  readonly digest: Hex | null;
  readonly epoch: number;
}

export interface PaymentHistory {
  readonly agentName: string;
  readonly passportId: bigint;
  /** Of all payments that were made or reported, not only of this page. */
  readonly totalSpent: bigint;
  readonly transactionCount: number;
  /** Entries of all pages, refused payments included. */
  readonly totalEntries: number;
  readonly entries: readonly PaymentRecord[];
  /** Where the next page begins; null on the last page. */
  readonly next: PaymentPosition | null;
}

/** Where a payment is in its agent's history. */
export interface PaymentPosition {
  readonly block: bigint;
  readonly logIndex: number;
}

export interface HistoryPage extends ListPage<PaymentPosition> {
  /** Unix seconds, inclusive; null for all. */
  readonly since: bigint | null;
}

/** The index as allowances use it. Each call is one query. */
export interface AllowanceIndex {
  /** Null when no soul of this id is indexed. */
  history(tokenId: bigint, page: HistoryPage): Promise<Reading<PaymentHistory | null>>;
  /** @param at The block whose day and time count. @param owner Null for no agents to share with. */
  usage(
    tokenId: bigint,
    owner: Address | null,
    at: Pick<AllowanceState, "blockTime"> & Pick<AllowanceState["usage"], "periodStart">,
  ): Promise<Reading<IndexedUsage>>;
}

/** An allowance as it is answered. */
export interface AllowanceReading<State extends AllowanceState = AllowanceState> {
  readonly state: State & { readonly agentName: string };
  readonly usage: IndexedUsage;
  /** How far the index had come, from which `usage` is. */
  readonly at: IndexedPoint;
}

/** The most that all agents of the owner can take together today. */
export function availableToday({ state, usage }: AllowanceReading): bigint {
  const { balance, approved } = state.funding;
  const bounds = [balance, approved, usage.shared.remainingToday];
  const [least = 0n] = bounds.sort((a, b) => (a < b ? -1 : 1));
  return least;
}

export interface Allowances {
  /** @throws ApiError NOT_FOUND, CHAIN_UNAVAILABLE, REGISTRY_PENDING, as the next ones do. */
  of(tokenId: bigint): Promise<AllowanceReading>;
  canSpend(
    tokenId: bigint,
    amount: bigint,
  ): Promise<AllowanceReading<AllowanceState & Spendability>>;
  /** @throws ApiError INDEX_BEHIND for an agent that a late index does not know. */
  history(tokenId: bigint, page: HistoryPage): Promise<Reading<PaymentHistory>>;
}

export interface AllowancesOptions {
  readonly vault: AllowanceVault;
  readonly index: AllowanceIndex;
  readonly age: {
    isFresh(at: Pick<IndexedPoint, "block">): boolean;
    behind(at: Pick<IndexedPoint, "block">): ApiError;
  };
}

/** Allowances and funds are always read from the chain; only counts and history come from the index. */
export function createAllowances({ vault, index, age }: AllowancesOptions): Allowances {
  async function withUsage<State extends AllowanceState>(
    tokenId: bigint,
    state: State,
  ): Promise<AllowanceReading<State>> {
    const { agentName, owner, blockTime } = state;
    if (agentName === null) throw unknownAgent(tokenId);
    const { periodStart } = state.usage;
    const { at, value } = await index.usage(tokenId, owner, { blockTime, periodStart });
    return { state: { ...state, agentName }, usage: value, at };
  }

  return {
    of: async (tokenId) => withUsage(tokenId, await vault.stateOf(tokenId)),
    canSpend: async (tokenId, amount) => withUsage(tokenId, await vault.canSpend(tokenId, amount)),
    async history(tokenId, page) {
      const { at, value } = await index.history(tokenId, page);
      if (value !== null) return { at, value };
      if (!age.isFresh(at)) throw age.behind(at);
      throw unknownAgent(tokenId);
    },
  };
}

function unknownAgent(tokenId: bigint): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no agent with token id ${tokenId}.` });
}
