import { execFileSync } from "node:child_process";
import { processFamily } from "../../scripts/local-stack/process-family.ts";

/** Of the times in {@link processFamily}. */
export const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time used so far by a process and its descendants, in milliseconds. Linux only. */
export function processorTime(root: number): number {
  const ticks = processFamily(root).reduce((sum, at) => sum + at.ticks, 0);
  return (ticks / TICKS_PER_SECOND) * 1_000;
}
