import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";

// How large the house is, as a table: house.ts [commit ...]; without one, what the next commit would hold.

const FOLDERS = ["api", "web", "kit", "protocol", "indexer", "scripts", "test"];
const LONG_FUNCTION_LINES = 80;
/** Members of two contracts' structs: each file that names one knows of it by hand. */
const MEMBERS = ["perTransaction", "soulMerkleRoot"];

interface SourceText {
  readonly path: string;
  readonly text: string;
}

interface Counts {
  readonly tokens: number;
  readonly interfaces: number;
  readonly interfacesWithMethods: number;
  readonly bagTypes: number;
  readonly longFunctions: number;
  readonly longestFunction: number;
}

type Row = readonly [name: string, value: string | number];

/** What is wrong with commits that promise to change no answer, contract or gas; empty when nothing is. */
export function houseProblems(): string {
  const kept = ["docs/openapi.json", "api/reference/examples.json", "compiled", "docs/gas.json"];
  const log = git("log", "--no-merges", "--grep", "^House:", "--format=%h %s", "--", ...kept);
  return log
    .split("\n")
    .filter((line) => line.split(" ")[1] === "House:")
    .map((line) => `${line} changes one of ${kept.join(", ")}: leave out "House:" or the change.`)
    .join("\n");
}

function measured(files: readonly SourceText[], operations: number): Row[] {
  const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));
  const sources = files.filter(({ path }) => !isGenerated(path) && !path.startsWith("test/"));
  const api = inFolder("api").filter(({ path }) => !isGenerated(path));
  const withoutPages = api.filter(({ path }) => !/^api\/pages\/|\.page\.tsx$|\/pages\//.test(path));
  const counts = api.map(countsOf);
  const sum = (count: (one: Counts) => number) =>
    counts.reduce((total, one) => total + count(one), 0);
  const functions = sources.map(countsOf);
  return [
    ...FOLDERS.flatMap((folder): Row[] => {
      const own = inFolder(folder).filter(({ path }) => !isGenerated(path));
      if (own.length === 0) return [];
      const tokens = own.reduce((total, one) => total + countsOf(one).tokens, 0);
      return [[`${folder}/: lines; tokens`, `${linesOf(own)}; ${tokens}`]];
    }),
    [
      "lines of api/ without pages, for each operation",
      Math.round(linesOf(withoutPages) / operations),
    ],
    [
      "interfaces in api/; with methods",
      `${sum((one) => one.interfaces)}; ${sum((one) => one.interfacesWithMethods)}`,
    ],
    ["types called …Deps, …Options or …Parts in api/", sum((one) => one.bagTypes)],
    [
      "files with `<Transaction`",
      files.filter(({ text }) => /\w<Transaction[,>]/.test(text)).length,
    ],
    ...MEMBERS.map(
      (member): Row => [
        `files with \`${member}\`, without tests`,
        sources.filter(({ text }) => new RegExp(`\\b${member}\\b`).test(text)).length,
      ],
    ),
    [
      `functions above ${LONG_FUNCTION_LINES} lines, with those inside them; the longest`,
      `${functions.reduce((total, one) => total + one.longFunctions, 0)}; ${Math.max(...functions.map((one) => one.longestFunction))}`,
    ],
  ];
}

function countsOf({ path, text }: SourceText): Counts {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lengths: number[] = [];
  let tokens = 0;
  let interfaces = 0;
  let interfacesWithMethods = 0;
  let bagTypes = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind <= ts.SyntaxKind.LastToken && node.kind !== ts.SyntaxKind.EndOfFileToken)
      tokens += 1;
    if (ts.isInterfaceDeclaration(node)) {
      interfaces += 1;
      const isMethod = (member: ts.TypeElement) =>
        ts.isMethodSignature(member) ||
        (ts.isPropertySignature(member) &&
          member.type !== undefined &&
          ts.isFunctionTypeNode(member.type));
      if (node.members.some(isMethod)) interfacesWithMethods += 1;
    }
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      if (/(Deps|Options|Parts)$/.test(node.name.text)) bagTypes += 1;
    }
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
      lengths.push(line(node.end) - line(node.getStart(source)) + 1);
    }
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return {
    tokens,
    interfaces,
    interfacesWithMethods,
    bagTypes,
    longFunctions: lengths.filter((length) => length > LONG_FUNCTION_LINES).length,
    longestFunction: Math.max(0, ...lengths),
  };
}

/** What a program wrote, and what no one reads as code. */
function isGenerated(path: string): boolean {
  return /(^|\/)generated\//.test(path);
}

function linesOf(files: readonly SourceText[]): number {
  return files.reduce((total, { text }) => total + text.split("\n").length - 1, 0);
}

/** Reads the TypeScript of a commit, and how many operations its OpenAPI document has. */
function read(commit: string): { files: SourceText[]; operations: number } {
  const folder = mkdtempSync(join(tmpdir(), "house-"));
  try {
    const archive = execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    const paths = git("ls-tree", "-r", "--name-only", commit).split("\n");
    const text = (path: string) => readFileSync(join(folder, path), "utf8");
    const { paths: routes } = JSON.parse(text("docs/openapi.json")) as { paths: object };
    return {
      files: paths
        .filter((path) => /\.tsx?$/.test(path) && FOLDERS.includes(path.split("/")[0] ?? ""))
        .map((path) => ({ path, text: text(path) })),
      operations: Object.values(routes).flatMap((route: object) => Object.keys(route)).length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28 }).trim();
}

if (process.argv[1]?.endsWith("checks/house.ts")) {
  const commits = process.argv.slice(2);
  if (commits.length === 0) commits.push(git("stash", "create") || "HEAD");
  const columns = commits.map((commit) => {
    const { files, operations } = read(commit);
    return measured(files, operations);
  });
  const names = [...new Set(columns.flat().map(([name]) => name))];
  console.log(`| | ${commits.map((commit) => commit.slice(0, 8)).join(" | ")} |`);
  console.log(`| --- |${" --- |".repeat(commits.length)}`);
  for (const name of names) {
    const values = columns.map((rows) => rows.find((row) => row[0] === name)?.[1] ?? "");
    console.log(`| ${name} | ${values.join(" | ")} |`);
  }
}
