import type { Hex } from "viem";
import type { EventPlace } from "../../../../protocol/index.ts";

/** The columns of a row about its event. */
export interface PlacedRow {
  readonly timestamp: bigint;
  readonly block: bigint;
  readonly tx: Hex;
  readonly logIndex: number;
}

/** What every fact from the chain has of its event. */
export function placed({ timestamp, block, tx, logIndex }: PlacedRow): {
  readonly place: EventPlace;
  readonly timestamp: bigint;
} {
  return { place: { blockNumber: block, transactionHash: tx, logIndex }, timestamp };
}

/** The same as a statement in raw SQL returns it. */
export interface EventRow extends Record<string, unknown> {
  readonly timestamp: string;
  readonly block: string;
  readonly tx: Hex;
  readonly log_index: number;
}

/** As {@link placed}, of raw SQL. */
export const placeOf = ({ timestamp, block, tx, log_index }: EventRow) =>
  placed({ timestamp: BigInt(timestamp), block: BigInt(block), tx, logIndex: log_index });
