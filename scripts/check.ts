import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  CONDITIONAL_SPREAD_LIMIT,
  codeShape,
  FUNCTION_LINE_LIMIT,
  LITERAL_SPREAD_LIMIT,
} from "./checks/code-shape.ts";
import { importedSources, interfaceProblems } from "./checks/contract-interfaces.ts";
import { contractSizes, largestSizes, sizeProblems } from "./checks/contract-sizes.ts";
import { deployProblems } from "./checks/deploy-tools.ts";
import { unknownImports } from "./checks/document-imports.ts";
import { featureImports } from "./checks/feature-imports.ts";
import { folderProblems } from "./checks/folder-sizes.ts";
import {
  entriesWithoutIntegrity,
  installScriptProblems,
  type Lockfile,
  missingEntries,
} from "./checks/lockfile.ts";
import { MIGRATIONS, migrationProblems } from "./checks/migrations.ts";
import { documentProblems } from "./checks/openapi-document.ts";
import { PLAIN_WORDS_LIMIT, riddleProblems, riddlesIn } from "./checks/plain-words.ts";
import { servedMetrics, watchingProblems } from "./checks/watching.ts";
import {
  compareGas,
  GAS_FILE,
  type GasReport,
  measureGas,
  unmeasuredFunctions,
} from "./generate/gas-report.ts";
import { generatedDocument, generatedFiles, leftoverFiles } from "./generate/generated.ts";
import { productContracts, sentContracts } from "./lib/artifacts.ts";
import { readJson } from "./lib/json-file.ts";
import { lineProgress } from "./lib/progress.ts";
import { isInstalled, run } from "./lib/run.ts";
import { helpText } from "./lib/usage.ts";
import { checkPackage } from "./package/check.ts";

interface Check {
  readonly title: string;
  /** Whether it reads what the compiler writes. */
  readonly needsContracts?: boolean;
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

/** Of `npm run check`, which starts before the contracts are compiled. */
const compilation: Check = {
  title: "Contracts compile",
  run: command("scripts/with-toolchain", "--compile", "true"),
};

const checks: readonly Check[] = [
  { title: "Format and lint, TypeScript (biome)", run: command("biome", "check", ".") },
  {
    title: "Format, Solidity (prettier)",
    run: command(
      "prettier",
      "--check",
      "--log-level",
      "warn",
      "{contracts,test,kit/contracts/mocks}/**/*.sol",
    ),
  },
  {
    title: "Lint, Solidity (solhint)",
    run: command("solhint", "--disc", "--noPoster", "--max-warnings", "0", "contracts/**/*.sol"),
  },
  { title: "Types (tsc)", run: types("tsconfig.json") },
  { title: "Browser types only in browser scripts (tsc)", run: types("tsconfig.server.json") },
  { title: "Import direction (dependency-cruiser)", run: importDirection },
  {
    title: "No unused file, export or dependency (knip)",
    run: command("knip", "--no-progress"),
  },
  {
    title: "Features and folders",
    run: featureProblems,
    summary: () => featureSummary,
  },
  {
    title: "Commits of the house change no answer, contract or gas",
    run: houseProblems,
  },
  {
    title: "Contract sizes",
    needsContracts: true,
    run: async () => sizeProblems(contractSizes(sentContracts())),
    summary: () => largestSizes(contractSizes(sentContracts())),
  },
  {
    title: "Interfaces and examples compile with solc 0.8.20 and are documented",
    run: async () => interfaceProblems(importedSources()).join("\n"),
  },
  {
    title: "Migrations can run beside the previous version (squawk)",
    run: async () =>
      (
        await migrationProblems(MIGRATIONS, readJson<{ version: string }>("package.json").version)
      ).join("\n"),
  },
  {
    title: "Generated files are up to date",
    needsContracts: true,
    run: generatedFilesAreCurrent,
  },
  {
    title: "OpenAPI document describes everything",
    run: async () => documentProblems(await generatedDocument()).join("\n"),
  },
  { title: "OpenAPI document (redocly)", run: lintDocument },
  { title: "Gas is as recorded", needsContracts: true, run: gasIsAsRecorded },
  { title: "Lock file is complete and verified", run: lockfileIsComplete },
  {
    title: "The package: publint, types, sizes",
    run: packageProblems,
    summary: () => packageSizes,
  },
  { title: "Imports in documents exist", run: async () => unknownImports().join("\n") },
  {
    title: "Alert rules, runbooks and dashboards",
    run: watching,
    summary: () => promtoolSummary,
  },
  { title: "Container, Compose and Kubernetes", run: deployFiles, summary: () => deploySummary },
  {
    title: "Proofs about the contracts' arithmetic (z3)",
    run: refutedClaims,
    summary: () => proofSummary,
  },
  { title: "Words that must not appear", run: forbiddenWords },
  { title: "Links between documents", run: deadLinks },
  {
    title: "Plain English",
    run: async () => riddleProblems(await riddles()),
    summary: () => `${riddleCount} listed words, limit ${PLAIN_WORDS_LIMIT}`,
  },
  {
    title: "Spreads and long functions",
    run: shapeProblems,
    summary: () =>
      `${spreadCounts.literal} literal spreads, limit ${LITERAL_SPREAD_LIMIT}; ` +
      `${spreadCounts.conditional} conditional ones, limit ${CONDITIONAL_SPREAD_LIMIT}`,
  },
];

/**
 * Checks types with TypeScript 7, in a fifth of the time of version 5. More checkers than one would
 * each work out the same types again.
 */
function types(project: string): Check["run"] {
  const tsc = "node_modules/typescript-7/bin/tsc";
  return command(process.execPath, tsc, "--noEmit", "--checkers", "1", "--project", project);
}

async function importDirection(): Promise<string> {
  const roots = ["protocol", "kit", "indexer", "api", "web", "scripts", "test"].filter(existsSync);
  return command("depcruise", "--config", ".dependency-cruiser.cjs", ...roots)();
}

let featureSummary = "";

async function featureProblems(): Promise<string> {
  const files = await sources(/^(api|web)\/.*\.tsx?$/);
  const { problems, imports, edges } = featureImports(files);
  featureSummary = `${imports} imports between features, on ${edges} edges`;
  return [
    ...problems,
    ...folderProblems((await sources(/^(api|web)\//)).map(({ path }) => path)),
  ].join("\n");
}

async function generatedFilesAreCurrent(): Promise<string> {
  const files = await generatedFiles();
  const outdated = files.filter(
    ({ path, content }) => !existsSync(path) || readFileSync(path, "utf8") !== content,
  );
  return [
    ...outdated.map(({ path }) => `${path} is outdated: run npm run generate.`),
    ...leftoverFiles(files).map((path) => `${path} is left over: run npm run generate.`),
  ].join("\n");
}

/** Offline: the linter would otherwise report its use and look for a newer version of itself. */
async function lintDocument(): Promise<string> {
  const offline = ["REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"];
  return command("env", ...offline, "redocly", "lint", "--max-problems", "20")();
}

async function gasIsAsRecorded(): Promise<string> {
  if (!existsSync(GAS_FILE)) return `${GAS_FILE} is missing: run npm run gas.`;
  const measured = await measureGas();
  const changes = compareGas(readJson<GasReport>(GAS_FILE), measured);
  if (changes.length > 0) changes.push("Run npm run gas to record intended changes.");
  return [...unmeasuredFunctions(productContracts(), measured), ...changes].join("\n");
}

async function lockfileIsComplete(): Promise<string> {
  const lockfile = readJson<Lockfile>("package-lock.json");
  const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>("package.json");
  const missing = Object.keys(missingEntries(lockfile));
  const problems = installScriptProblems(lockfile, allowScripts);
  for (const path of entriesWithoutIntegrity(lockfile)) {
    problems.push(`${path} has no integrity in package-lock.json.`);
  }
  if (missing.length > 0) {
    problems.push(
      `npm ci would refuse package-lock.json (${missing.length} entries are missing, such as ${missing[0]}). Run scripts/with-toolchain tsx scripts/complete-lockfile.ts`,
    );
  }
  return problems.join("\n");
}

let packageSizes = "";

async function packageProblems(): Promise<string> {
  const { problems, summary } = await checkPackage();
  packageSizes = summary;
  return problems;
}

/** A commit that says it changes nothing that anyone outside sees keeps these as they are. */
async function houseProblems(): Promise<string> {
  const kept = ["docs/openapi.json", "api/reference/examples.json", "compiled", "docs/gas.json"];
  const { exitCode, output } = await run("git", [
    ...["log", "--no-merges", "--grep", "^House:", "--format=%h %s"],
    ...["--", ...kept],
  ]);
  if (exitCode !== 0) return output;
  return output
    .split("\n")
    .filter((line) => line.split(" ")[1] === "House:")
    .map((line) => `${line} changes one of ${kept.join(", ")}: leave out "House:" or the change.`)
    .join("\n");
}

let promtoolSummary = "";

async function watching(): Promise<string> {
  const file = (path: string) => readFileSync(path, "utf8");
  const problems = watchingProblems(
    {
      rules: file("deploy/prometheus/alerts.yml"),
      faultTests: globSync("test/**/*.test.ts")
        .map(file)
        .filter((text) => text.includes("fixtures/alert-rules.ts"))
        .join(),
      runbooks: file("docs/runbooks.md"),
      operations: file("docs/operations.md"),
      dashboards: globSync("deploy/grafana/dashboards/*.json").map((path) => ({
        path,
        text: file(path),
      })),
    },
    await servedMetrics(),
  );
  return [...problems, ...(await promtoolProblems())].join("\n");
}

/** The verdict of Prometheus and Alertmanager, where their programs are installed. */
async function promtoolProblems(): Promise<string[]> {
  const [hasPromtool, hasAmtool] = await Promise.all([
    isInstalled("promtool", "--version"),
    isInstalled("amtool", "--version"),
  ]);
  const commands = [];
  if (hasPromtool) {
    commands.push(
      command("promtool", "check", "config", "--syntax-only", "deploy/prometheus/prometheus.yml"),
      command("promtool", "check", "rules", "deploy/prometheus/alerts.yml"),
      command("promtool", "test", "rules", ...globSync("deploy/prometheus/*.test.yml")),
    );
  }
  if (hasAmtool) {
    commands.push(command("amtool", "check-config", "deploy/prometheus/alertmanager.yml"));
  }
  promtoolSummary = [
    hasPromtool
      ? "the rules' tests ran"
      : "promtool was not found: the rules' tests were skipped (Debian package prometheus)",
    hasAmtool
      ? "Alertmanager's example was examined"
      : "amtool was not found: alertmanager.yml was not examined (Debian package prometheus-alertmanager)",
  ].join("; ");
  const outputs = await Promise.all(commands.map((examine) => examine()));
  return outputs.filter((output) => output !== "");
}

let deploySummary = "";

async function deployFiles(): Promise<string> {
  const { problems, summary } = await deployProblems();
  deploySummary = summary;
  return problems.join("\n");
}

let proofSummary = "";

/** In a process of its own: the solver would keep further checks waiting. */
async function refutedClaims(): Promise<string> {
  if (!(await isInstalled("z3", "--version"))) {
    proofSummary = "z3 was not found: skipped (Debian package z3)";
    return "";
  }
  const { exitCode, output } = await run(process.execPath, [
    "--import",
    "tsx",
    "scripts/proofs.ts",
  ]);
  proofSummary = output.split("\n").at(-1) ?? "";
  return exitCode === 0 ? "" : output;
}

async function forbiddenWords(): Promise<string> {
  const words = [
    // Written in two parts, so that this file does not match.
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

/** The text of every tracked or new file with one of these endings that is not generated. */
async function sources(endings: RegExp): Promise<{ path: string; text: string }[]> {
  const { output } = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"]);
  return output
    .split("\n")
    .filter((path) => endings.test(path) && !path.includes("generated") && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

let riddleCount = 0;

async function riddles() {
  // This list has to name the words; the changelog of a release is not rewritten.
  // docs/contracts.md repeats the comments of the contracts, which are counted there.
  const exempt = ["scripts/checks/plain-words.ts", "CHANGELOG.md", "docs/contracts.md"];
  const uses = (await sources(/\.(ts|tsx|mjs|cjs|css|sol|md|sh|ya?ml)$|with-toolchain$/))
    .filter(({ path }) => !exempt.includes(path))
    .flatMap(({ path, text }) => riddlesIn(path, text));
  riddleCount = uses.length;
  return uses;
}

const spreadCounts = { literal: 0, conditional: 0 };

async function shapeProblems(): Promise<string> {
  const shapes = (await sources(/\.(ts|tsx|mjs|cjs)$/)).map(({ path, text }) => ({
    path,
    shape: codeShape(path, text),
  }));
  const literal = shapes.flatMap(({ shape }) => shape.literalSpreads);
  const conditional = shapes.flatMap(({ shape }) => shape.conditionalSpreads);
  spreadCounts.literal = literal.length;
  spreadCounts.conditional = conditional.length;
  const long = shapes
    .filter(({ path }) => /^(api|web|protocol|kit|indexer|scripts)\//.test(path))
    .flatMap(({ shape }) => shape.longFunctions);
  return [
    ...exceeded("literal spreads", literal, LITERAL_SPREAD_LIMIT),
    ...exceeded("conditional spreads", conditional, CONDITIONAL_SPREAD_LIMIT),
    ...long.map((place) => `${place} has a function of over ${FUNCTION_LINE_LIMIT} lines.`),
  ].join("\n");
}

function exceeded(what: string, places: readonly string[], limit: number): string[] {
  if (places.length <= limit) return [];
  return [`${places.length} ${what}, above the limit of ${limit}:`, ...places];
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
  process.stdout.write(helpText("check"));
} else {
  const progress = lineProgress();
  const failed: string[] = [];
  const words = process.argv.slice(2).map((word) => word.toLowerCase());
  const chosen = checks.filter(
    ({ title }) => words.length === 0 || words.some((word) => title.toLowerCase().includes(word)),
  );
  const waiting = chosen.filter(({ needsContracts }) => needsContracts);
  const isCompiled = process.env.SVC_COMPILE !== "later" || waiting.length === 0;
  if (!isCompiled) chosen.unshift(compilation);
  const queue = [...chosen.filter(({ needsContracts }) => !needsContracts), ...waiting];
  const runOne = async (check: Check) => {
    const step = progress.step(check.title);
    const problem = await check.run().catch((error: unknown) => String(error));
    if (problem === "") {
      step.done(check.summary?.());
    } else {
      step.fail();
      failed.push(check.title);
      progress.note(problem);
    }
  };
  let compiled = Promise.resolve();
  // Two at a time: most of them keep one core busy. The compiler is one of the two at first.
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      if (check.needsContracts) await compiled;
      const running = runOne(check);
      if (check === compilation) compiled = running;
      await running;
    }
  };
  await Promise.all([worker(), worker()]);
  console.log(
    failed.length === 0
      ? `All ${chosen.length} checks passed.`
      : `${failed.length} of ${chosen.length} checks failed: ${failed.join("; ")}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}
