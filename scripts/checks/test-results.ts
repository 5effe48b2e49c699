import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { readJson } from "../lib/json-file.ts";

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and how, a line each: `file > test: first line of the error`. */
  readonly failures: readonly string[];
}

const NO_TESTS: TestCount = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** The used parts of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

export function addCounts(counts: readonly TestCount[]): TestCount {
  return counts.reduce(
    (sum, count) => ({
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped,
      failures: [...sum.failures, ...count.failures],
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
  if (!existsSync(reportPath)) return withoutReport(reportPath);
  const report = readJson<VitestReport>(reportPath);
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status !== "failed") return [];
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return [`${file}: ${firstLine(message)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${file} > ${fullName}: ${firstLine(failureMessages?.[0] ?? "")}`,
    );
  });
  return failedIfBroken(
    {
      passed: report.numPassedTests,
      failed: failures.length,
      skipped: report.numPendingTests,
      failures,
    },
    exitCode,
  );
}

/**
 * Reads the counts that solidity-tests.ts wrote; a run that failed without a failing test counts as
 * one failure.
 */
export function writtenCount(path: string, exitCode: number | null): TestCount {
  if (!existsSync(path)) return withoutReport(path);
  return failedIfBroken(readJson<TestCount>(path), exitCode);
}

const withoutReport = (path: string): TestCount => ({
  ...NO_TESTS,
  failed: 1,
  failures: [`${basename(path)} was not written: the run ended before its report.`],
});

function failedIfBroken(count: TestCount, exitCode: number | null): TestCount {
  if (exitCode === 0 || count.failed > 0) return count;
  return { ...count, failed: 1, failures: [`The run ended with ${exitCode}, and no test failed.`] };
}

const firstLine = (text: string) => stripVTControlCharacters(text).split("\n", 1)[0]?.trim() ?? "";
