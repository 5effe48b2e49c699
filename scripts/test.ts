import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, type TestCount, vitestCount, writtenCount } from "./checks/test-results.ts";
import { runAttached } from "./lib/run.ts";
import { helpText } from "./lib/usage.ts";
import { LASTING_STACK_VARIABLE, startLastingStack } from "./local-stack/lasting-stack.ts";

interface Suite {
  readonly name: string;
  /** @param output an open file that its output goes to; default: this process's output. */
  readonly run: (output?: number) => Promise<TestCount>;
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
  run: async (output) => {
    const report = join(results, `${config}.json`);
    const exitCode = await runAttached(
      "vitest",
      [
        ...["run", "--config", config, "--passWithNoTests"],
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
        ...args,
      ],
      { environment: await environment(), signal: interrupted.signal, output },
    );
    return vitestCount(report, exitCode);
  },
});

const solidityFiles = globSync("test/contracts/**/*.t.sol").filter(
  (file) => args.length === 0 || args.some((filter) => file.includes(filter)),
);

const solidity: Suite = {
  name: "Contracts",
  run: async (output) => {
    const result = join(results, "solidity.json");
    const exitCode = await runAttached(
      process.execPath,
      [
        ...["--import", "tsx", "scripts/checks/solidity-tests.ts", result],
        // Without a filter Hardhat finds the files itself.
        ...(args.length === 0 ? [] : solidityFiles),
      ],
      { signal: interrupted.signal, output },
    );
    return writtenCount(result, exitCode);
  },
};

/**
 * The first suites use the processor. The one beside them waits for its chain and its index most of
 * the time, so it runs meanwhile. What it prints is shown when they have ended.
 */
const first: readonly Suite[] = [
  ...(solidityFiles.length > 0 ? [solidity] : []),
  vitest("TypeScript", "vitest.config.ts"),
];
const beside = vitest("Service", "vitest.service.config.ts");
/** These start whole stacks, each of which needs the processor to itself. */
const last: readonly Suite[] = [
  vitest("End to end", "vitest.e2e.config.ts", async () =>
    lastingStack ? { [LASTING_STACK_VARIABLE]: JSON.stringify(await lastingStack.place) } : {},
  ),
  vitest("Browser", "vitest.browser.config.ts"),
];

const counts: TestCount[] = [];
const summary: string[] = [];

async function runSuite(suite: Suite, output?: number): Promise<void> {
  const startedAt = performance.now();
  const count = await suite.run(output);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  counts.push(count);
  summary.push(
    `${suite.name.padEnd(12)} ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped (${seconds} s)`,
  );
}

async function runAll(suites: readonly Suite[]): Promise<void> {
  for (const suite of suites) {
    if (interrupted.signal.aborted) return;
    console.log(`\n=== ${suite.name}`);
    await runSuite(suite);
  }
}

const path = join(results, "beside.log");
const output = openSync(path, "w");
await Promise.all([runAll(first), runSuite(beside, output)]);
closeSync(output);
console.log(`\n=== ${beside.name}\n${readFileSync(path, "utf8")}`);
await runAll(last);

await lastingStack?.stop();
if (interruptedStatus !== undefined) process.exit(interruptedStatus);
const total = addCounts(counts);
console.log(`\n${summary.join("\n")}`);
// Again at the end: what failed early is thousands of lines above.
for (const failure of total.failures) console.log(`failed: ${failure}`);
if (total.passed + total.failed === 0) console.log("No test ran.");
console.log(`${total.passed} passed, ${total.failed} failed`);
// A run without tests is a failure: a wrong filter or a moved folder must not pass.
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
