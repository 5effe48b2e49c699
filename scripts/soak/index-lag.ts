/**
 * The age of the oldest block that the index lacks, from samples of head and index. A block's age
 * starts at the sample that first saw it.
 */
export class IndexLag {
  /** Heads in the order in which they were first seen. */
  readonly #seen: { readonly head: number; readonly at: number }[] = [];

  /** Milliseconds since the first block after `indexed` was seen; 0 when the index has them all. */
  sample(head: number, indexed: number, now: number): number {
    const last = this.#seen.at(-1);
    if (last === undefined || head > last.head) this.#seen.push({ head, at: now });
    while (this.#seen[0] !== undefined && this.#seen[0].head <= indexed) this.#seen.shift();
    const [oldest] = this.#seen;
    return oldest === undefined ? 0 : now - oldest.at;
  }
}
