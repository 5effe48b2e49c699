import type { Address } from "viem";
import { isRefusal, RevertedError } from "../../kernel/errors.ts";
import type { Relayer } from "../chain/transactions.ts";
import type { Sponsor, SponsoredRelayer, Standing } from "./gas-budget.ts";

export interface SponsoredRelayerOptions {
  readonly relayer: Pick<Relayer, "run">;
  readonly standingOf: (accounts: readonly Address[]) => Promise<Standing>;
  readonly gas: {
    /** Reserves gas, once for an operation. Throws GAS_BUDGET_EXHAUSTED. */
    reserve(operationId: string, gas: bigint, sponsor: Sponsor): Promise<void>;
    /** Returns the gas that an operation without a transaction had reserved. */
    release(operationId: string): Promise<void>;
  };
}

export function createSponsoredRelayer({
  relayer,
  standingOf,
  gas: budget,
}: SponsoredRelayerOptions): SponsoredRelayer {
  return {
    async run({ operationId, gas, owner, network, signer }, build) {
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
