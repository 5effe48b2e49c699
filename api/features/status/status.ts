import type { Address } from "viem";
import { SPEC_VERSION } from "../../../protocol/index.ts";
import type { IndexAge } from "../../soul/index-age.ts";

/** Constant while the process lives. */
export interface StatusFacts {
  readonly version: string;
  readonly chainId: number;
  readonly contracts: Readonly<Record<string, Address | null>>;
  readonly startBlock: bigint;
  /** The driver that stores permanent items, and the address that signs them. */
  readonly storage: { readonly driver: string; readonly signer: Address };
}

export type StatusService = ReturnType<typeof createStatusService>;

/** @param indexedBlock The last block whose events can be read. */
export function createStatusService(
  facts: StatusFacts,
  indexedBlock: () => Promise<bigint>,
  age: Pick<IndexAge, "standing" | "isFresh">,
) {
  return {
    async read() {
      const block = await indexedBlock();
      const { chainBlock } = age.standing();
      // The index can have passed the sampled head.
      const lagBlocks = chainBlock === null ? null : Math.max(0, Number(chainBlock - block));
      return {
        ...facts,
        specification: SPEC_VERSION,
        startBlock: Number(facts.startBlock),
        chainBlock: chainBlock === null ? null : Number(chainBlock),
        indexedBlock: Number(block),
        lagBlocks,
        status: age.isFresh({ block }) ? ("ok" as const) : ("degraded" as const),
      };
    },
  };
}
