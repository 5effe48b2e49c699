import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import { createAllowances } from "./allowances.ts";
import { allowanceChanges } from "./changes.ts";
import { createAllowanceIndex } from "./history.store.ts";
import { createAllowanceCalls, createAllowanceVault } from "./vault.chain.ts";

/** Longest wait for the chain, in milliseconds. */
const LIVE_READ_TIMEOUT_MS = 5_000;

type Options = Pick<Platform, "deployment" | "pool" | "chain" | "clock"> &
  Pick<SoulReads, "age" | "souls">;

/** What agents may pay from their owners' wallets. */
export function buildAllowances(options: Options) {
  const { deployment, pool, chain: client, clock, age, souls } = options;
  const { soulRegistry, allowanceVault } = deployment.contracts;
  const vault = createAllowanceVault({
    client,
    soulRegistry,
    allowanceVault,
    timeoutMs: LIVE_READ_TIMEOUT_MS,
  });
  const changes = allowanceChanges({
    souls,
    vault,
    allowanceVault,
    calls: createAllowanceCalls(allowanceVault),
    clock,
  });
  return {
    allowances: createAllowances({ vault, index: createAllowanceIndex(pool), age }),
    allowanceChanges: changes,
    isAllowanceActive: async (tokenId: bigint) => (await vault.stateOf(tokenId)).active,
  };
}
