import { isRefusal, RevertedError } from "../../kernel/errors.ts";
import type { Relayer } from "../chain/transactions.ts";
import type { Sponsor, SponsoredRelayer } from "./gas-budget.ts";

export interface SponsoredRelayerOptions {
  readonly relayer: Pick<Relayer, "run">;
  readonly gas: {
    /** Reserves gas, once for an operation. Throws GAS_BUDGET_EXHAUSTED. */
    reserve(operationId: string, gas: bigint, sponsor: Sponsor): Promise<void>;
    /** Returns the gas that an operation without a transaction had reserved. */
    release(operationId: string): Promise<void>;
  };
}

export function createSponsoredRelayer({
  relayer,
  gas: budget,
}: SponsoredRelayerOptions): SponsoredRelayer {
  return {
    async run({ operationId, gas, sponsor, signer }, build) {
      await budget.reserve(operationId, gas, sponsor);
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
