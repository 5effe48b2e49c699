import {
  closeSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, type TestCount, vitestCount, writtenCount } from "./checks/test-results.ts";
import { runAttached } from "./lib/run.ts";
import { LASTING, STACKS, TRACED, UNTRACED } from "./lib/test-projects.ts";
import { helpText } from "./lib/usage.ts";
import { LASTING_STACK_VARIABLE, startLastingStack } from "./local-stack/lasting-stack.ts";
import { sharedBuild } from "./service/shared-build.ts";

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
// The same programs are started hundreds of times: their code is compiled once.
process.env.NODE_COMPILE_CACHE = join(results, "compiled");

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

interface VitestOptions {
  /** The project of the config that is run; default: all of them. */
  readonly project?: string;
  readonly environment?: () => Promise<Readonly<Record<string, string>>>;
}

const vitest = (
  name: string,
  config: string,
  { project, environment = async () => ({}) }: VitestOptions = {},
): Suite => ({
  name,
  run: async (output) => {
    const report = join(results, `${name}.json`);
    const chosen = project === undefined ? [] : ["--project", project];
    const exitCode = await runAttached(
      "vitest",
      [
        ...["run", "--config", config, "--passWithNoTests", ...chosen],
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
        // A later suite finds the modules that an earlier one has transformed.
        ...["--fsModuleCache", `--fsModuleCachePath=${join(results, "modules")}`],
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
 * Suites that run beside each other, those of one list one after another. Most of them wait for
 * their chain, index or browser half of the time, and together use both cores of a small machine.
 * Only the first list is shown while it runs, the others when all have ended.
 */
const lanes: readonly (readonly Suite[])[] = [
  [...(solidityFiles.length > 0 ? [solidity] : []), vitest("TypeScript", "vitest.config.ts")],
  [
    vitest("Service, traced", "vitest.service.config.ts", { project: TRACED }),
    vitest("End to end", "vitest.e2e.config.ts", { project: STACKS }),
  ],
  [
    vitest("Service", "vitest.service.config.ts", { project: UNTRACED }),
    vitest("Browser", "vitest.browser.config.ts"),
  ],
];
/** Measures a second, and needs the processor to itself. */
const last = vitest("Lasting stack", "vitest.e2e.config.ts", {
  project: LASTING,
  environment: async () =>
    lastingStack ? { [LASTING_STACK_VARIABLE]: JSON.stringify(await lastingStack.place) } : {},
});

const counts: TestCount[] = [];
const summary: string[] = [];

async function runSuite(suite: Suite, output?: number): Promise<void> {
  const startedAt = performance.now();
  const count = await suite.run(output);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  counts.push(count);
  summary.push(
    `${suite.name.padEnd(16)} ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped (${seconds} s)`,
  );
}

async function runLane(suites: readonly Suite[], output?: number): Promise<void> {
  for (const suite of suites) {
    if (interrupted.signal.aborted) return;
    const title = `\n=== ${suite.name}\n`;
    if (output === undefined) process.stdout.write(title);
    else writeSync(output, title);
    await runSuite(suite, output);
  }
}

/** Runs them with their output in a file, and returns its path. */
async function runUnseen(suites: readonly Suite[], index: number): Promise<string> {
  const path = join(results, `${index}.log`);
  const output = openSync(path, "w");
  await runLane(suites, output);
  closeSync(output);
  return path;
}

// Three suites that start beside it would take the processor until its start is given up.
await lastingStack?.place;
// Every suite starts it: without this, three would build it at once.
if (args.length === 0) await sharedBuild();
const [shown = [], ...beside] = lanes;
const [outputs] = await Promise.all([Promise.all(beside.map(runUnseen)), runLane(shown)]);
for (const path of outputs) process.stdout.write(readFileSync(path));
await runLane([last]);

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
