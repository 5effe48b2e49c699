import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type NatSpec, parseNatSpec } from "../generate/contract-docs.ts";
import { ROOT } from "../lib/artifacts.ts";

// What integrators import: the interfaces and examples. They must compile with the oldest compiler that their pragma names, and
// every parameter of theirs must be documented.

const OLDEST_COMPILER = "solc-0.8.20";
const PRAGMA = "pragma solidity >=0.8.20;";
const IMPORTED_FILES = "contracts/{interfaces,erc8004/interfaces,examples}/*.sol";

/** The part used of the npm package `solc`. */
interface Compiler {
  compile(input: string, callbacks: { import(path: string): ImportedFile }): string;
}

type ImportedFile = { readonly contents: string } | { readonly error: string };

/** The part used of the compiler's syntax tree. Version 0.8.20 puts the text of a comment into it. */
interface Declaration {
  readonly nodeType: string;
  readonly name: string;
  /** `constructor`, `function`, … */
  readonly kind?: string;
  readonly visibility?: string;
  readonly documentation?: { readonly text: string };
  readonly nodes?: readonly Declaration[];
  readonly parameters?: { readonly parameters: readonly Declaration[] };
  readonly returnParameters?: { readonly parameters: readonly Declaration[] };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources?: Readonly<Record<string, { readonly ast?: Declaration }>>;
}

/** Source texts by path, such as `contracts/interfaces/ISoulView.sol`. */
export type SoliditySources = Readonly<Record<string, string>>;

/** The interfaces and examples of this repository. */
export function importedSources(): SoliditySources {
  const paths = globSync(IMPORTED_FILES, { cwd: ROOT }).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/**
 * Every fault of the given files, one line each: a pragma other than `>=0.8.20`, a compiler error, and a function, event, error or
 * public variable whose notice, parameters or return values are not documented. Otherwise empty.
 */
export function interfaceProblems(sources: SoliditySources): string[] {
  if (Object.keys(sources).length === 0) return [`There is no ${IMPORTED_FILES}.`];
  const pragmas = Object.entries(sources)
    .filter(([, content]) => !content.includes(PRAGMA))
    .map(([path]) => `${path} has no "${PRAGMA}".`);
  const output = compileWithOldest(sources);
  const errors = (output.errors ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ formattedMessage }) => `${OLDEST_COMPILER}: ${formattedMessage.trim()}`);
  if (errors.length > 0) return [...pragmas, ...errors];
  const missing = Object.keys(sources).flatMap((path) =>
    undocumentedParts(output.sources?.[path]?.ast).map((problem) => `${path}: ${problem}`),
  );
  return [...pragmas, ...missing];
}

function compileWithOldest(sources: SoliditySources): CompilerOutput {
  const compiler: Compiler = createRequire(import.meta.url)(OLDEST_COMPILER);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(sources).map(([path, content]) => [path, { content }]),
    ),
    // Asking for bytecode makes the compiler generate code for the examples too.
    settings: { outputSelection: { "*": { "": ["ast"], "*": ["evm.bytecode.object"] } } },
  };
  return JSON.parse(compiler.compile(JSON.stringify(input), { import: readImport }));
}

function readImport(path: string): ImportedFile {
  const file = path.startsWith("contracts/") ? path : join("node_modules", path);
  try {
    return { contents: readFileSync(join(ROOT, file), "utf8") };
  } catch (error) {
    return { error: String(error) };
  }
}

function undocumentedParts(file: Declaration | undefined): string[] {
  return (file?.nodes ?? [])
    .filter(({ nodeType }) => nodeType === "ContractDefinition")
    .flatMap((contract) => [
      ...missingTags(contract, contract.name),
      ...(contract.nodes ?? [])
        .filter(isPublic)
        .flatMap((node) => missingTags(node, `${contract.name}.${node.name || node.kind}`)),
    ]);
}

function isPublic({ nodeType, visibility }: Declaration): boolean {
  switch (nodeType) {
    case "EventDefinition":
    case "ErrorDefinition":
      return true;
    case "FunctionDefinition":
      return visibility === "external" || visibility === "public";
    case "VariableDeclaration":
      return visibility === "public";
    default:
      return false;
  }
}

function missingTags(node: Declaration, name: string): string[] {
  const comment = node.documentation?.text ?? "";
  if (/@inheritdoc\b/.test(comment)) return [];
  const tags = parseNatSpec(comment);
  const missing = [...missingParameters(node, tags), ...missingReturns(node, tags)];
  if (tags.notice === "") missing.unshift("has no @notice.");
  return missing.map((problem) => `${name} ${problem}`);
}

function missingParameters({ parameters }: Declaration, { params }: NatSpec): string[] {
  return (parameters?.parameters ?? [])
    .filter(({ name }) => !params.some(([documented, text]) => documented === name && text !== ""))
    .map(({ name }) => `has no @param ${name}.`.replace(" .", " for a parameter without a name."));
}

/** Return values have names, because a comment on one without a name could not say which it means. */
function missingReturns({ returnParameters }: Declaration, { returns }: NatSpec): string[] {
  return (returnParameters?.parameters ?? [])
    .filter(({ name }) => !returns.some(([documented, text]) => documented === name && text !== ""))
    .map(({ name }) => `has no @return ${name}.`.replace(" .", " for a value without a name."));
}
