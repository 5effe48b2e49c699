import { AsyncLocalStorage } from "node:async_hooks";

/** What a request read of the index. */
interface IndexUse {
  /** The lowest block up to which the index was; null where no statement said it. */
  oldest: bigint | null;
  /** Whether a statement said that the chain's reorganization took back what the index had, and may have again. */
  isTakenBack: boolean;
  isUsed: boolean;
}

const used = new AsyncLocalStorage<IndexUse>();

/** Does `work` and notes what it reads of the index. */
export function notingIndexUse<T>(work: () => T): T {
  return used.run({ oldest: null, isTakenBack: false, isUsed: false }, work);
}

/**
 * Called by every read of the index. One that concurrent callers share notes its block for each of them.
 *
 * @param block Up to which the index was; null where it is not known.
 * @param isTakenBack Whether it had been further, before a reorganization of the chain.
 */
export function noteIndexUse(block: bigint | null, isTakenBack = false): void {
  const use = used.getStore();
  if (use === undefined) return;
  use.isUsed = true;
  use.isTakenBack ||= isTakenBack;
  if (block !== null && (use.oldest === null || block < use.oldest)) use.oldest = block;
}

/** Of the present work; undefined when it read nothing of the index. */
export function indexUse(): Readonly<IndexUse> | undefined {
  const use = used.getStore();
  return use?.isUsed ? use : undefined;
}
