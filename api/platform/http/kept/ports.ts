import type { Context } from "hono";

/** A body that is sent more than once, and its compressed forms as they are first asked for. */
export interface KeptBody {
  readonly whole: string | Uint8Array<ArrayBuffer>;
  /** By the name of the encoding. */
  readonly encoded: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
}

/** Answers of operations that are made from the database alone. */
export interface KeptAnswers {
  /**
   * Answers with what an earlier request for the same was answered, if not one transaction has ended
   * since before it was built. Builds the answer otherwise, and keeps it.
   */
  answer(c: Context, build: () => Promise<void>): Promise<void>;
}
