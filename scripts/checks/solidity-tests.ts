import { writeFileSync } from "node:fs";
import hre from "hardhat";
import type { TestCount } from "./test-results.ts";

type TestStatus = "Success" | "Failure" | "Skipped";

/** The used part of Hardhat's report on one test contract. */
interface SuiteResult {
  readonly id: { readonly name: string };
  readonly testResults: readonly {
    readonly status: TestStatus;
    readonly name: string;
    readonly reason?: string;
  }[];
}

// Runs Solidity tests and writes the counts: solidity-tests.ts <result file> [test files]. Each
// test is counted from its own outcome, because the totals of Hardhat's result can still be zero
// when it returns.
const [resultFile, ...testFiles] = process.argv.slice(2);
if (!resultFile) throw new Error("Usage: solidity-tests.ts <result file> [test files]");

const result = await hre.tasks
  .getTask(["test", "solidity"])
  .run(testFiles.length > 0 ? { testFiles } : {});
const suites: readonly SuiteResult[] = (result?.value ?? result?.error)?.suiteResults ?? [];
const outcomes = suites.flatMap(({ id, testResults }) =>
  testResults.map(({ status, name, reason }) => ({
    status,
    line: `${id.name} > ${name}: ${reason}`,
  })),
);
const linesOf = (status: TestStatus) =>
  outcomes.filter((outcome) => outcome.status === status).map(({ line }) => line);
const failures = linesOf("Failure");
const count: TestCount = {
  passed: linesOf("Success").length,
  failed: failures.length,
  skipped: linesOf("Skipped").length,
  failures,
};
writeFileSync(resultFile, JSON.stringify(count));
process.exit(result?.success === true ? 0 : 1);
