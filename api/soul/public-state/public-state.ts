import type { IndexedPoint } from "../index-reads.ts";

/** A state of all rows that anonymous answers are made from, and the block that the index has reached in it. */
export interface PublicState {
  /** The same name means the same rows. A change has another name before its transaction ends. */
  readonly name: string;
  /**
   * No transaction was open that had changed such rows. What is read afterwards, until the state has
   * another name, are the rows of this one.
   */
  readonly isSettled: boolean;
  readonly at: IndexedPoint;
}
