import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import type { Sources } from "../lib/solidity.ts";
import { type Compiled, compileContracts, layoutDefinitions } from "./contracts.ts";
import { definitionsOf, functionNamed, PRELUDES, type WordSort } from "./definitions.ts";

const CLAIM_FILES = "test/contracts/proofs/*.smt2";
/** A claim takes a second or two, a fault half a minute, and a busy machine several times that. */
const TIMEOUT_SECONDS = 600;

export interface Claim {
  readonly file: string;
  readonly title: string;
  /** `vacuous`: its conditions never hold, so that it says nothing. */
  readonly outcome: "proved" | "REFUTED" | "vacuous" | "unknown";
  /** The values that refute it, or what the solver said instead. */
  readonly detail: string;
}

/** `; run paid: AllowanceVault._pay(call, s, tokenId)`: what a claim calls the run, and on what. */
const RUN = /^; run ([\w-]+): (\w+)\.(\w+)\((.*)\)$/gm;
/** `; any function: AllowanceVault.dayOf`: it may answer anything, and writes nothing that is claimed. */
const ANY_FUNCTION = /^; any function: (\w+)\.(\w+)$/gm;
/**
 * A title; conditions, which must be possible; and the claim's negation, which must not. Each is its
 * own question to the solver: asked in one run they take far longer.
 */
const CLAIM = /^; claim: (.*)\n([\s\S]*?)^\(check-sat\)\n([\s\S]*?)^\(check-sat\)$/gm;

/** A file may ask that words are integers, in which the solver can divide. */
const INTEGERS = /^; words: integers$/m;

interface ClaimFile {
  readonly file: string;
  readonly text: string;
}

function claimFiles(): ClaimFile[] {
  return globSync(CLAIM_FILES, { cwd: ROOT })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
}

function contractsOf({ text }: ClaimFile): string[] {
  return [...new Set([...text.matchAll(RUN)].map(([, , contract = ""]) => contract))];
}

/** What a claim is asked about: the file's text with its runs replaced by definitions made from the sources. */
function definitionsFor(claim: string, file: ClaimFile, compiled: ReadonlyMap<string, Compiled>) {
  const { functions: functionsOf, layouts, words, open, declared } = contractsFor(file, compiled);
  // Only the runs that the claim or a needed run speaks about: others would cost the solver time.
  let asked = claim;
  for (const [line, title] of [...file.text.matchAll(RUN)].toReversed()) {
    if (asked.includes(`${title}.`)) asked += line;
  }
  const text = file.text.replace(CLAIM, "").replace(RUN, (line, title, contract, name, list) => {
    if (!asked.includes(line)) return "";
    const [call = "", storage = "", ...values] = (list as string).split(", ");
    const functions = functionsOf(contract);
    const run = { title, call, storage, values };
    return definitionsOf(functions, functionNamed(functions, name), run, open, words);
  });
  return [PRELUDES[words], ...layouts, ...declared, text, ""].join("\n");
}

function contractsFor(file: ClaimFile, compiled: ReadonlyMap<string, Compiled>) {
  const of = (contract: string) => compiled.get(contract) as Compiled;
  const functions = (contract: string) => of(contract).functions;
  const words: WordSort = INTEGERS.test(file.text) ? "integers" : "bits";
  const open = new Map<string, string>();
  const declared = [...file.text.matchAll(ANY_FUNCTION)].map(([, contract = "", name = ""]) => {
    const definition = functionNamed(functions(contract), name);
    open.set(definition.name, `${contract}.${name}`);
    const parameters = (definition.parameters ?? []).map(() => "Word").join(" ");
    return `(declare-fun ${contract}.${name} (${parameters}) Word)`;
  });
  const layouts = contractsOf(file).map((contract) =>
    layoutDefinitions(contract, of(contract).layout, words),
  );
  return { functions, layouts, words, open, declared };
}

function askSolver(text: string, ...options: readonly string[]): string {
  const { stdout } = spawnSync("z3", ["-in", "-smt2", `-T:${TIMEOUT_SECONDS}`, ...options], {
    input: text,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return stdout.trim();
}

const CHECK = "(check-sat)";

/** The file with the chosen claims alone. */
function withChosen({ file, text }: ClaimFile, words: readonly string[]): ClaimFile {
  const isChosen = (title: string) =>
    words.length === 0 || words.some((word) => file.includes(word) || title.includes(word));
  return { file, text: text.replace(CLAIM, (claim, title) => (isChosen(title) ? claim : "")) };
}

function claimsOf(file: ClaimFile, compiled: ReadonlyMap<string, Compiled>): Claim[] {
  return [...file.text.matchAll(CLAIM)].map(
    ([claim, title = "", conditions = "", negation = ""]) => {
      const named = { file: file.file, title };
      const question = definitionsFor(claim, file, compiled) + conditions;
      const holds = askSolver(question + CHECK);
      const refuted = askSolver(question + negation + CHECK);
      if (holds === "sat" && refuted === "unsat")
        return { ...named, outcome: "proved", detail: "" };
      if (holds === "sat" && refuted === "sat") {
        const detail = askSolver(question + negation + CHECK, "dump_models=true");
        return { ...named, outcome: "REFUTED", detail };
      }
      const outcome = holds === "unsat" ? "vacuous" : "unknown";
      return { ...named, outcome, detail: `${holds}\n${refuted}` };
    },
  );
}

/**
 * What z3 says about every claim.
 *
 * @param words Only the claims whose file or title contains one of these; all without any.
 * @param changed Sources to take instead of the project's.
 */
export function checkClaims(words: readonly string[], changed: Sources = {}): Claim[] {
  const files = claimFiles()
    .map((file) => withChosen(file, words))
    .filter(({ text }) => text.match(CLAIM) !== null);
  const compiled = compileContracts([...new Set(files.flatMap(contractsOf))], changed);
  return files.flatMap((file) => claimsOf(file, compiled));
}
