import type { Address, TransactionReceipt } from "viem";
import { isRefusal, RevertedError } from "../../kernel/errors.ts";
import type { Call, Relayer, Signer } from "../chain/transactions.ts";
import type { Sponsor, Sponsored } from "./gas-budget.store.ts";
import type { Standing } from "./tables.ts";

export type SponsoredRelayer = ReturnType<typeof createSponsoredRelayer>;

/** Transactions by which the service writes with its own authority, paid from the day's gas. */
export function createSponsoredRelayer({
  relayer,
  standingOf,
  gas: budget,
}: {
  readonly relayer: Pick<Relayer, "run">;
  readonly standingOf: (accounts: readonly Address[]) => Promise<Standing>;
  readonly gas: {
    /** Reserves gas, once for an operation. Throws GAS_BUDGET_EXHAUSTED. */
    reserve(operationId: string, gas: bigint, sponsor: Sponsor): Promise<void>;
    /** Returns the gas that an operation without a transaction had reserved. */
    release(operationId: string): Promise<void>;
  };
}) {
  return {
    /**
     * As `Relayer.run`, with gas set aside before. It is returned when there is no transaction.
     *
     * @param sponsored Its `owner` is the owner of the agent that it is for, by whose standing it is paid.
     * @throws ApiError as `Relayer.run` does; GAS_BUDGET_EXHAUSTED.
     */
    async run(
      {
        operationId,
        gas,
        owner,
        network,
        signer,
      }: Pick<Sponsored, "operationId" | "gas"> & {
        readonly owner: Address;
        readonly network: string;
        readonly signer?: Signer;
      },
      build: () => Promise<Call>,
    ): Promise<TransactionReceipt> {
      const standing = await standingOf([owner]);
      await budget.reserve(operationId, gas, { network, standing });
      return relayer.run(operationId, build, signer).catch(async (error: unknown) => {
        // A mined transaction that reverted has used its gas.
        if (isRefusal(error) && !(error instanceof RevertedError)) {
          await budget.release(operationId);
        }
        throw error;
      });
    },
  };
}
