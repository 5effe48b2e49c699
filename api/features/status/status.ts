import type { Address } from "viem";
import { SPEC_VERSION } from "../../../protocol/index.ts";
import type { IndexAge } from "../../soul/index-age.ts";

export interface StatusPorts {
  /** The last block whose events can be read. */
  indexedBlock(): Promise<bigint>;
  readonly age: Pick<IndexAge, "standing" | "isFresh">;
}

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

export function createStatusService(facts: StatusFacts, ports: StatusPorts) {
  async function read() {
    const indexedBlock = await ports.indexedBlock();
    const { chainBlock } = ports.age.standing();
    // The index can have passed the sampled head.
    const lag = chainBlock === null ? null : Math.max(0, Number(chainBlock - indexedBlock));
    return {
      ...facts,
      specification: SPEC_VERSION,
      startBlock: Number(facts.startBlock),
      chainBlock: chainBlock === null ? null : Number(chainBlock),
      indexedBlock: Number(indexedBlock),
      lagBlocks: lag,
      status: ports.age.isFresh({ block: indexedBlock }) ? ("ok" as const) : ("degraded" as const),
    };
  }

  return { read };
}
