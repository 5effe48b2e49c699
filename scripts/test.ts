import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, type TestCount, vitestCount, writtenCount } from "./checks/test-results.ts";
import { runAttached } from "./lib/run.ts";
import { helpText } from "./lib/usage.ts";
import { LASTING_STACK_VARIABLE, startLastingStack } from "./local-stack/lasting-stack.ts";

interface Suite {
  readonly name: string;
  readonly run: () => Promise<TestCount>;
}

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  process.stdout.write(helpText("test"));
  process.exit();
}
const unknown = args.find((arg) => arg.startsWith("-"));
if (unknown !== undefined) {
  process.stderr.write(`Unknown option ${unknown}.\n${helpText("test")}`);
  process.exit(2);
}

const results = mkdtempSync(join(tmpdir(), "test-results-"));
process.once("exit", () => rmSync(results, { recursive: true, force: true }));

const interrupted = new AbortController();
let interruptedStatus: number | undefined;
const lastingStack = args.length === 0 ? startLastingStack() : undefined;
for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(signal, () => {
    interruptedStatus = status;
    interrupted.abort();
    void lastingStack?.stop();
  });
}

const vitest = (
  name: string,
  config: string,
  environment: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): Suite => ({
  name,
  run: async () => {
    const report = join(results, `${config}.json`);
    const exitCode = await runAttached(
      "vitest",
      [
        ...["run", "--config", config, "--passWithNoTests"],
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
        ...args,
      ],
      { environment: await environment(), signal: interrupted.signal },
    );
    return vitestCount(report, exitCode);
  },
});

const solidityFiles = globSync("test/contracts/**/*.t.sol").filter(
  (file) => args.length === 0 || args.some((filter) => file.includes(filter)),
);

const solidity: Suite = {
  name: "Contracts",
  run: async () => {
    const result = join(results, "solidity.json");
    const exitCode = await runAttached(
      process.execPath,
      [
        ...["--import", "tsx", "scripts/checks/solidity-tests.ts", result],
        // Without a filter Hardhat finds the files itself.
        ...(args.length === 0 ? [] : solidityFiles),
      ],
      { signal: interrupted.signal },
    );
    return writtenCount(result, exitCode);
  },
};

const suites: readonly Suite[] = [
  ...(solidityFiles.length > 0 ? [solidity] : []),
  vitest("TypeScript", "vitest.config.ts"),
  vitest("Service", "vitest.service.config.ts"),
  vitest("End to end", "vitest.e2e.config.ts", async () =>
    lastingStack ? { [LASTING_STACK_VARIABLE]: JSON.stringify(await lastingStack.place) } : {},
  ),
  vitest("Browser", "vitest.browser.config.ts"),
];

const counts: TestCount[] = [];
const summary: string[] = [];
for (const suite of suites) {
  if (interrupted.signal.aborted) break;
  console.log(`\n=== ${suite.name}`);
  const startedAt = performance.now();
  const count = await suite.run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  counts.push(count);
  summary.push(
    `${suite.name.padEnd(12)} ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped (${seconds} s)`,
  );
}

await lastingStack?.stop();
if (interruptedStatus !== undefined) process.exit(interruptedStatus);
const total = addCounts(counts);
console.log(`\n${summary.join("\n")}`);
if (total.passed + total.failed === 0) console.log("No test ran.");
console.log(`${total.passed} passed, ${total.failed} failed`);
// A run without tests is a failure: a wrong filter or a moved folder must not pass.
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
