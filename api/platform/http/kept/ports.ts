import type { Context } from "hono";
import type { IndexedPoint } from "../../../soul/index-reads.ts";

/** A body that is sent more than once, and its compressed forms as they are first asked for. */
export interface KeptBody {
  readonly whole: string | Uint8Array<ArrayBuffer>;
  /** By the name of the encoding. */
  readonly encoded: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
}

/**
 * The body of an answer at any block that the index reaches while no row changes: the same, text
 * that is made of what was read before and of the block, or the same but for one part.
 */
export type BodyAt = "same" | ((at: IndexedPoint) => string) | PartAt;

/** The text of the only part of a body that depends on the block. */
export interface PartAt {
  readonly partAt: (at: IndexedPoint) => string;
}

/** Answers of operations that are made from the database alone. */
export interface KeptAnswers {
  /**
   * Answers with what an earlier request for the same was answered, if no row that such answers are made
   * from has changed since before it was built. Builds the answer otherwise, and keeps it.
   */
  answer(c: Context, build: () => Promise<void>): Promise<void>;
}
