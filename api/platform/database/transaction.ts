import type { Executor } from "./connect.ts";

/** A transaction on the database, as decisions hand it from store to store. */
export type Transaction = Executor;
