import { existsSync } from "node:fs";
import { readJson } from "../lib/json-file.ts";

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NO_TESTS: TestCount = { passed: 0, failed: 0, skipped: 0 };

/** The used parts of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: "passed" | "failed";
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function addCounts(counts: readonly TestCount[]): TestCount {
  return counts.reduce(
    (sum, count) => ({
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped,
    }),
    NO_TESTS,
  );
}

/**
 * The counts of a vitest run. A file that could not be loaded, or whose hooks failed, counts as one
 * failure, because its tests are not counted. A run that failed otherwise, or left no report, also
 * counts as one failure.
 */
export function vitestCount(reportPath: string, exitCode: number | null): TestCount {
  if (!existsSync(reportPath)) return { ...NO_TESTS, failed: 1 };
  const report = readJson<VitestReport>(reportPath);
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length;
  return failedIfBroken(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles,
      skipped: report.numPendingTests,
    },
    exitCode,
  );
}

/**
 * Reads the counts that solidity-tests.ts wrote; a run that failed without a failing test counts as
 * one failure.
 */
export function writtenCount(path: string, exitCode: number | null): TestCount {
  if (!existsSync(path)) return { ...NO_TESTS, failed: 1 };
  return failedIfBroken(readJson<TestCount>(path), exitCode);
}

function failedIfBroken(count: TestCount, exitCode: number | null): TestCount {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
