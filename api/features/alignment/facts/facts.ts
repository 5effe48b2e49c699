import type { Alignment, AlignmentFact } from "../../../../protocol/index.ts";
import type { IndexedPoint, SoulStatus } from "../../../soul/index-reads.ts";

/** An agent as it is at one block. */
export interface ScoredAgent {
  readonly tokenId: bigint;
  readonly agentName: string;
  readonly passportId: bigint;
  readonly epoch: number;
  readonly status: SoulStatus;
  /** Whether the sealer still owns the passport, and no suspension stands. */
  readonly isHeldBySealer: boolean;
  /** The score on chain in this epoch; null, like the block that it is of, without one. */
  readonly recordedScore: number | null;
  readonly recordedBlock: bigint | null;
}

/** An agent and everything that its score can depend on, up to one block. */
export interface GatheredAgent extends ScoredAgent {
  /**
   * Whether its registration file could be looked for. If not, the facts count it as one that cannot
   * be read.
   */
  readonly isFileKnown: boolean;
  readonly facts: readonly AlignmentFact[];
}

/** A score as it would be now, of which nothing is stored. */
export interface CurrentAlignment {
  readonly agent: GatheredAgent;
  readonly alignment: Alignment;
  readonly at: IndexedPoint;
}
