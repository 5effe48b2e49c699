import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { SOURCE_FORMATS } from "../../protocol/index.ts";
import type { WorkTable } from "../fixtures/parser-work/main.ts";
import { PATTERNS, PLACES } from "../fixtures/parser-work/patterns.ts";

// Work is counted, not timed: blocks of code that ran, characters that regular expressions tested,
// and lengths that built-in functions read. test/fixtures/parser-work/count.ts explains the count
// and what it cannot see.

/**
 * Greatest factor by which the work may grow when the source doubles. Linear work gives 2,
 * quadratic work 4.
 */
const MAX_GROWTH = 2.5;

/** Sources have 2 KiB and 4 KiB. `SVC_PARSER_BYTES=524288` doubles them up to the size limit, and prints the table. */
const requestedBytes = process.env.SVC_PARSER_BYTES;
const TIMEOUT_MS = requestedBytes === undefined ? 180_000 : 7_200_000;

let table: WorkTable;

function growth(work: readonly number[]): number[] {
  return work.slice(1).map((count, index) => count / (work[index] as number));
}

beforeAll(async () => {
  const script = fileURLToPath(new URL("../fixtures/parser-work/main.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--no-opt", "--no-maglev", "--import", "tsx", script, requestedBytes ?? "4096"],
    { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 },
  );
  table = JSON.parse(stdout);
  if (requestedBytes === undefined) return;
  for (const { format, pattern, place, work } of table.rows) {
    const factors = growth(work).map((factor) => factor.toFixed(2));
    console.log(`${format} | ${pattern} | place ${place} | ${work.at(-1)} | ${factors.join(" ")}`);
  }
}, TIMEOUT_MS);

describe("counting the work of a parser", () => {
  it("gives the same count for the same source", () => {
    const [first, second] = table.repeated;
    expect(first).toBeGreaterThan(1000);
    expect(second).toBe(first);
  });

  it.each(["a regular expression", "code of the YAML library", "a built-in function"])(
    "finds quadratic work in %s",
    (where) => {
      const [factor] = growth(table.quadratic[where] ?? []);
      expect(factor).toBeGreaterThan(MAX_GROWTH);
    },
  );
});

describe.each(SOURCE_FORMATS)("reading %s", (format) => {
  it.each(Object.keys(PATTERNS))("is linear in %s", (pattern) => {
    const rows = table.rows.filter((row) => row.format === format && row.pattern === pattern);
    expect(rows).toHaveLength(PLACES[format]?.length ?? 0);
    expect(rows).not.toHaveLength(0);
    for (const { place, work } of rows) {
      const factors = growth(work);
      expect(factors).not.toHaveLength(0);
      expect(Math.max(...factors), `place ${place}: ${work.join(", ")}`).toBeLessThanOrEqual(
        MAX_GROWTH,
      );
    }
  });
});
