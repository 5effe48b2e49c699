import { AsyncLocalStorage } from "node:async_hooks";

/** What a request read of the index. */
interface IndexUse {
  /** The lowest block up to which the index was; null where no statement said it. */
  oldest: bigint | null;
  isUsed: boolean;
}

const used = new AsyncLocalStorage<IndexUse>();

/** Does `work` and notes what it reads of the index. */
export function notingIndexUse<T>(work: () => T): T {
  return used.run({ oldest: null, isUsed: false }, work);
}

/**
 * Called by every read of the index. One that concurrent callers share notes its block for each of them.
 *
 * @param block Up to which the index was; null where it is not known.
 */
export function noteIndexUse(block: bigint | null): void {
  const use = used.getStore();
  if (use === undefined) return;
  use.isUsed = true;
  if (block !== null && (use.oldest === null || block < use.oldest)) use.oldest = block;
}

/** Of the present work; undefined when it read nothing of the index. */
export function indexUse(): Readonly<IndexUse> | undefined {
  const use = used.getStore();
  return use?.isUsed ? use : undefined;
}
