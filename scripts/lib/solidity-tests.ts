import { writeFileSync } from "node:fs";
import hre from "hardhat";
import { NO_TESTS, type TestCount } from "./test-results.ts";

// Runs Solidity tests and writes how they went: solidity-tests.ts <result file> [test files]. The counts come from Hardhat's
// own result, not from its output.
const [resultFile, ...testFiles] = process.argv.slice(2);
if (!resultFile) throw new Error("Usage: solidity-tests.ts <result file> [test files]");

const result = await hre.tasks
  .getTask(["test", "solidity"])
  .run(testFiles.length > 0 ? { testFiles } : {});
const summary = (result?.value ?? result?.error)?.summary;
const count: TestCount = summary
  ? { passed: summary.passed, failed: summary.failed, skipped: summary.skipped }
  : NO_TESTS;
writeFileSync(resultFile, JSON.stringify(count));
process.exit(result?.success === true ? 0 : 1);
