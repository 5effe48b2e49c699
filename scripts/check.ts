import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contractSizes, largestSizes, sizeProblems } from "./checks/contract-sizes.ts";
import { type Lockfile, missingEntries } from "./checks/lockfile.ts";
import {
  compareGas,
  GAS_FILE,
  type GasReport,
  measureGas,
  unmeasuredFunctions,
} from "./generate/gas-report.ts";
import { generatedFiles } from "./generate/generated.ts";
import { productContracts, sentContracts } from "./lib/artifacts.ts";
import { readJson } from "./lib/json-file.ts";
import { lineProgress } from "./lib/progress.ts";
import { run } from "./lib/run.ts";

const HELP = `Usage: npm run check

Checks everything that needs no running service: formatting, lint rules, types, import direction, contract sizes, generated
files, recorded gas, the lock file, links between documents and a few words that must not appear. npm run format repairs the first
two, npm run generate the generated files.
`;

interface Check {
  readonly title: string;
  /** What is wrong, as text to show; empty when nothing is. */
  readonly run: () => Promise<string>;
  /** A line worth showing when nothing is wrong. */
  readonly summary?: () => string;
}

const command =
  (program: string, ...args: string[]) =>
  async (): Promise<string> => {
    const { exitCode, output } = await run(program, args);
    return exitCode === 0 ? "" : output || `${program} ended with exit status ${exitCode}.`;
  };

const checks: readonly Check[] = [
  { title: "Format and lint, TypeScript (biome)", run: command("biome", "check", ".") },
  {
    title: "Format, Solidity (prettier)",
    run: command("prettier", "--check", "--log-level", "warn", "{contracts,test}/**/*.sol"),
  },
  {
    title: "Lint, Solidity (solhint)",
    run: command("solhint", "--disc", "--noPoster", "--max-warnings", "0", "contracts/**/*.sol"),
  },
  { title: "Types (tsc)", run: command("tsc", "--noEmit", "-p", ".") },
  { title: "Import direction (dependency-cruiser)", run: importDirection },
  {
    title: "Contract sizes",
    run: async () => sizeProblems(contractSizes(sentContracts())),
    summary: () => largestSizes(contractSizes(sentContracts())),
  },
  { title: "Generated files are up to date", run: generatedFilesAreCurrent },
  { title: "Gas is as recorded", run: gasIsAsRecorded },
  { title: "Lock file serves every platform", run: lockfileIsComplete },
  { title: "Words that must not appear", run: forbiddenWords },
  { title: "Links between documents", run: deadLinks },
];

async function importDirection(): Promise<string> {
  const roots = ["protocol", "kit", "indexer", "api", "scripts", "ignition", "test"].filter(
    existsSync,
  );
  return command("depcruise", "--config", ".dependency-cruiser.cjs", ...roots)();
}

async function generatedFilesAreCurrent(): Promise<string> {
  const outdated = (await generatedFiles()).filter(
    ({ path, content }) => !existsSync(path) || readFileSync(path, "utf8") !== content,
  );
  return outdated.map(({ path }) => `${path} is outdated: run npm run generate.`).join("\n");
}

async function gasIsAsRecorded(): Promise<string> {
  if (!existsSync(GAS_FILE)) return `${GAS_FILE} is missing: run npm run gas.`;
  const measured = await measureGas();
  const changes = compareGas(readJson<GasReport>(GAS_FILE), measured);
  if (changes.length > 0) changes.push("Run npm run gas to record what is meant to be so.");
  return [...unmeasuredFunctions(productContracts(), measured), ...changes].join("\n");
}

async function lockfileIsComplete(): Promise<string> {
  const missing = Object.keys(missingEntries(readJson<Lockfile>("package-lock.json")));
  if (missing.length === 0) return "";
  return `npm ci would refuse package-lock.json (${missing.length} entries are missing, such as ${missing[0]}). Run scripts/with-toolchain tsx scripts/complete-lockfile.ts`;
}

async function forbiddenWords(): Promise<string> {
  const words = [
    // Written in two parts, so that this file does not find itself.
    ["/wo", "rk/"],
    ["../sha", "red"],
    ["TO", "DO"],
    ["FIX", "ME"],
  ].flatMap((parts) => ["-e", parts.join("")]);
  const { exitCode, output } = await run("git", [
    ...["grep", "--untracked", "-nIFw", ...words],
    ...["--", ".", ":!package-lock.json"],
  ]);
  if (exitCode === 1) return "";
  return output;
}

async function deadLinks(): Promise<string> {
  const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md"]);
  return documents
    .flatMap((document) =>
      [...readFileSync(document, "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(join(dirname(document), target)))
        .map((target) => `${document} links to ${target}, which does not exist.`),
    )
    .join("\n");
}

if (process.argv.includes("--help")) {
  process.stdout.write(HELP);
} else {
  const progress = lineProgress();
  const failed: string[] = [];
  const queue = [...checks];
  // Two at a time: most of them keep one core busy.
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const step = progress.step(check.title);
      const problem = await check.run().catch((error: unknown) => String(error));
      if (problem === "") {
        step.done(check.summary?.());
      } else {
        step.fail();
        failed.push(check.title);
        progress.note(problem);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  console.log(
    failed.length === 0
      ? `All ${checks.length} checks passed.`
      : `${failed.length} of ${checks.length} checks failed: ${failed.join("; ")}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}
