import { ApiError } from "../../kernel/errors.ts";
import type { IndexAge } from "../../soul/index-age.ts";
import type { IndexedPoint } from "../../soul/index-reads.ts";
import type { AllowanceIndex, HistoryPage, IndexedUsage, PaymentRecord } from "./history.store.ts";
import type { AllowanceState, AllowanceVault } from "./vault.chain.ts";

export type { AllowanceIndex, AllowanceState, PaymentRecord };

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

export type Allowances = ReturnType<typeof createAllowances>;

/** Allowances and funds are always read from the chain; only counts and history come from the index. */
export function createAllowances({
  vault,
  index,
  age,
}: {
  readonly vault: AllowanceVault;
  readonly index: AllowanceIndex;
  readonly age: Pick<IndexAge, "isFresh" | "behind">;
}) {
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
    /** @throws ApiError NOT_FOUND, CHAIN_UNAVAILABLE, REGISTRY_PENDING, as the next ones do. */
    of: async (tokenId: bigint) => withUsage(tokenId, await vault.stateOf(tokenId)),

    canSpend: async (tokenId: bigint, amount: bigint) =>
      withUsage(tokenId, await vault.canSpend(tokenId, amount)),

    /** @throws ApiError INDEX_BEHIND for an agent that a late index does not know. */
    async history(tokenId: bigint, page: HistoryPage) {
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
