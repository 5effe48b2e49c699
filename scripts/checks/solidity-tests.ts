import { writeFileSync } from "node:fs";
import hre from "hardhat";
import type { TestCount } from "./test-results.ts";

type TestStatus = "Success" | "Failure" | "Skipped";

/** The used part of Hardhat's report on one test contract. */
interface SuiteResult {
  readonly testResults: readonly { readonly status: TestStatus }[];
}

// Runs Solidity tests and writes the counts: solidity-tests.ts <result file> [test files]. Each
// test is counted from its own outcome, because the totals of Hardhat's result can still be zero
// when it returns.
const [resultFile, ...testFiles] = process.argv.slice(2);
if (!resultFile) throw new Error("Usage: solidity-tests.ts <result file> [test files]");

const result = await hre.tasks
  .getTask(["test", "solidity"])
  .run(testFiles.length > 0 ? { testFiles } : {});
const outcomes = (result?.value ?? result?.error)?.suiteResults?.flatMap(
  (suite: SuiteResult) => suite.testResults,
);
const countOf = (status: TestStatus) =>
  (outcomes ?? []).filter((test: SuiteResult["testResults"][number]) => test.status === status)
    .length;
const count: TestCount = {
  passed: countOf("Success"),
  failed: countOf("Failure"),
  skipped: countOf("Skipped"),
};
writeFileSync(resultFile, JSON.stringify(count));
process.exit(result?.success === true ? 0 : 1);
