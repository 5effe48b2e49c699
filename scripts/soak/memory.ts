import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { processFamily } from "../local-stack/process-family.ts";

const KILOBYTES_PER_MEGABYTE = 1_024;

/** Before this, code is compiled, pools fill and heaps grow to their working size. */
export const JUDGED_AFTER_MINUTES = 5;
/** In a shorter time the garbage collector's cycles hide any slope. */
const JUDGED_MINUTES = 4.5;

/** Memory at one moment of the run. */
export interface MemorySample {
  readonly minute: number;
  readonly megabytes: number;
}

/**
 * Start options of processes for {@link collectGarbage}. Without them the heap for new objects
 * would double for many minutes before it settles.
 */
export const COLLECTABLE = {
  NODE_OPTIONS: `--import ${new URL("./collect-garbage.mjs", import.meta.url)} --max-semi-space-size=4`,
} as const;

/**
 * Asks every Node process below `root` to collect its garbage now. They must have been started with
 * {@link COLLECTABLE}.
 */
export function collectGarbage(root: number): void {
  for (const { pid } of processFamily(root)) {
    try {
      // The signal would end any other program.
      if (basename(readlinkSync(`/proc/${pid}/exe`)) === "node") process.kill(pid, "SIGUSR2");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * Private memory in megabytes of a process and its descendants. PostgreSQL's shared buffers are
 * left out: they fill up to a fixed size. Linux only.
 */
export function privateMemory(root: number): number {
  const kilobytes = processFamily(root).reduce((sum, { pid }) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return sum + Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
      return sum;
    }
  }, 0);
  return kilobytes / KILOBYTES_PER_MEGABYTE;
}

/**
 * Growth in megabytes a minute: the slope of the line that fits the samples best. 0 for fewer than
 * two.
 */
export function growth(samples: readonly MemorySample[]): number {
  const mean = (of: (sample: MemorySample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanMinute, meanMegabytes] = [mean((at) => at.minute), mean((at) => at.megabytes)];
  let [covariance, variance] = [0, 0];
  for (const { minute, megabytes } of samples) {
    covariance += (minute - meanMinute) * (megabytes - meanMegabytes);
    variance += (minute - meanMinute) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

/** The growth after the warm-up, or undefined when there are too few samples. */
export function settledGrowth(samples: readonly MemorySample[]): number | undefined {
  const settled = samples.filter(({ minute }) => minute >= JUDGED_AFTER_MINUTES);
  const last = settled.at(-1)?.minute ?? 0;
  return last < JUDGED_AFTER_MINUTES + JUDGED_MINUTES ? undefined : growth(settled);
}
