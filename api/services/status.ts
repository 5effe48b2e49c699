import type { Address } from "viem";
import { SPEC_VERSION } from "../../protocol/index.ts";

export interface StatusPorts {
  /** The latest block of the chain; rejects when its node does not answer. */
  chainBlock(): Promise<bigint>;
  /** The last block whose events can be read. */
  indexedBlock(): Promise<bigint>;
}

/** What never changes while the process lives. */
export interface StatusFacts {
  readonly version: string;
  readonly chainId: number;
  readonly contracts: Readonly<Record<string, Address | null>>;
  readonly startBlock: bigint;
  /** Which driver stores permanent items, and the address that signs them. */
  readonly storage: { readonly driver: string; readonly signer: Address };
}

export type StatusService = ReturnType<typeof createStatusService>;

export function createStatusService(facts: StatusFacts, ports: StatusPorts) {
  async function read() {
    const [chainBlock, indexedBlock] = await Promise.all([
      ports.chainBlock().catch(() => null),
      ports.indexedBlock(),
    ]);
    // Between the two reads the index can pass the block that the node had named.
    const lag = chainBlock === null ? null : Math.max(0, Number(chainBlock - indexedBlock));
    return {
      ...facts,
      specification: SPEC_VERSION,
      startBlock: Number(facts.startBlock),
      chainBlock: chainBlock === null ? null : Number(chainBlock),
      indexedBlock: Number(indexedBlock),
      lagBlocks: lag,
    };
  }

  return { read };
}
