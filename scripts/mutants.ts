import { createHash } from "node:crypto";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/artifacts.ts";
import { randomNumbers } from "./lib/random-numbers.ts";
import { sourcesOf } from "./lib/solidity.ts";
import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { type Fault, faultsOf, lineOf, withFault } from "./mutants/faults.ts";
import { codeOf, compile, createWorkspace } from "./mutants/workspace.ts";

/** Contracts whose own tests have other names than `<contract>*.t.sol`. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  SoulRegistry: [
    "SoulRegistry",
    "SoulLife",
    "SoulBatch",
    "SoulSuspension",
    "SoulStates",
    "SoulStorage",
  ],
  Registrars: ["AdminRules", "SoulRegistry"],
};
/** Interfaces and what has no code of its own are left out. */
const CONTRACTS = globSync("contracts/{,verifiers/}*.sol", { cwd: ROOT })
  .map((path) => ({ path, contract: path.replace(/^.*\/|\.sol$/g, "") }))
  .filter(({ contract }) => !/^(I[A-Z]|OwnerAuthorization$|WorldIdHashes$)/.test(contract));
const LEAST_FOUND = 0.95;

interface Outcome {
  readonly contract: string;
  readonly fault: string;
  readonly line: string;
  readonly found: boolean;
}

/** Numbers from 0 to 1 that follow from a text alone. */
function numbersFrom(text: string): () => number {
  return randomNumbers(createHash("sha256").update(text).digest().readUInt32BE());
}

function drawn(faults: readonly Fault[], next: () => number): Fault[] {
  const left = [...faults];
  return faults.map(() => left.splice(Math.floor(next() * left.length), 1)[0] as Fault);
}

async function examine(
  { path, contract }: { readonly path: string; readonly contract: string },
  wanted: number,
  seed: string,
): Promise<Outcome[]> {
  const sources = sourcesOf(path);
  const source = Buffer.from(sources[path]?.content ?? "");
  const tree = compile(path, sources, "tree").sources?.[path]?.ast;
  const built = codeOf(path, contract, sources);
  if (tree === undefined || built === null) throw new Error(`${path} does not compile.`);
  const names = TESTS[contract] ?? [`${contract}*`];
  const files = globSync(`test/contracts/{${names.join(",")},}.t.sol`, { cwd: ROOT });
  const workspace = createWorkspace();
  const outcomes: Outcome[] = [];
  try {
    workspace.deploys(contract, built);
    if (!(await workspace.passes(files)))
      throw new Error(`The tests of ${contract} fail without a fault.`);
    for (const fault of drawn(
      faultsOf(source, tree as never),
      numbersFrom(`${seed}:${contract}`),
    )) {
      if (outcomes.length === wanted) break;
      const code = codeOf(path, contract, {
        ...sources,
        [path]: { content: withFault(source, fault) },
      });
      // It does not compile, or the compiler finds the same code for it.
      if (code === null || code === built) continue;
      workspace.deploys(contract, code);
      const found = !(await workspace.passes(files));
      const outcome = { contract, fault: fault.what, line: lineOf(source, fault), found };
      outcomes.push(outcome);
      console.log(
        `${found ? "found   " : "SURVIVED"} ${contract}.sol:${outcome.line} (${fault.what})`,
      );
    }
  } finally {
    workspace.remove();
  }
  return outcomes;
}

async function main(): Promise<number> {
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    process.stdout.write(helpText("mutants"));
    return 0;
  }
  const { values } = readArguments({
    options: {
      seed: { type: "string", default: String(Date.now()) },
      count: { type: "string", default: "20" },
      contract: { type: "string", multiple: true, default: [] },
    },
  });
  const wanted = Number(values.count);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new UsageError("--count takes a whole number from 1.");
  const unknown = values.contract.find((name) =>
    CONTRACTS.every(({ contract }) => contract !== name),
  );
  if (unknown !== undefined) throw new UsageError(`There is no contract ${unknown} in contracts/.`);
  const chosen = CONTRACTS.filter(
    ({ contract }) => values.contract.length === 0 || values.contract.includes(contract),
  );
  console.log(`The same faults again: --seed ${values.seed} --count ${wanted}`);
  const outcomes: Outcome[] = [];
  for (const one of chosen) outcomes.push(...(await examine(one, wanted, values.seed)));

  console.log("\n| contract | faults | found |\n| --- | --- | --- |");
  for (const { contract } of chosen) {
    const of = outcomes.filter((outcome) => outcome.contract === contract);
    console.log(`| ${contract} | ${of.length} | ${of.filter(({ found }) => found).length} |`);
  }
  const found = outcomes.filter((outcome) => outcome.found).length;
  console.log(`\n${found} of ${outcomes.length} faults were found; at least 95 % must be.`);
  mkdirSync(join(ROOT, ".local"), { recursive: true });
  writeFileSync(join(ROOT, ".local/mutants.json"), JSON.stringify(outcomes, null, 2));
  return found >= LEAST_FOUND * outcomes.length ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${helpText("mutants")}`);
  return 2;
});
