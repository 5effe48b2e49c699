import type { FaultReport } from "./run.ts";

const SHOWN = 20;

/** Prints the tables. @returns whether all promises held. */
export function printReport(report: FaultReport): boolean {
  const { recoveries, undisturbed, disturbed, rows, broken, failures } = report;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  console.log(
    "\n| fault | parts ready after | agents registered after | open writes settled after | errors |\n| --- | --- | --- | --- | --- |",
  );
  for (const { what, readyMs, recoveredMs, settledMs, errors } of recoveries) {
    const times = [readyMs, recoveredMs, settledMs].map(seconds).join(" | ");
    console.log(`| ${what} | ${times} | ${errors} |`);
  }
  console.log("\n| request | undisturbed p50, p95, p99 | disturbed |\n| --- | --- | --- |");
  for (const [what, times] of disturbed) {
    console.log(
      `| ${what} | ${percentiles(undisturbed.get(what) ?? [])} | ${percentiles(times)} |`,
    );
  }
  console.log("\n| promise | found | held |\n| --- | --- | --- |");
  for (const { what, found, held } of rows) {
    console.log(`| ${what} | ${found} | ${held ? "yes" : "**no**"} |`);
  }
  for (const [sentence, count] of counted(broken)) console.log(`  ${count} × ${sentence}`);
  console.log("\nRequests that failed, with those after a fault:");
  for (const [what, count] of counted(failures)) console.log(`  ${count} × ${what}`);
  return rows.every(({ held }) => held);
}

function percentiles(times: readonly number[]): string {
  if (times.length === 0) return "none";
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
  const all = [0.5, 0.95, 0.99].map((part) => `${at(part).toFixed(0)} ms`);
  return `${all.join(", ")} (${times.length})`;
}

function counted(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
}
