import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { readJson } from "../lib/json-file.ts";
import { run } from "../lib/run.ts";

// How large the house is, as a table: house.ts [commit ...]; without one, what the next commit would hold.

const FOLDERS = ["api", "web", "kit", "protocol", "indexer", "scripts", "test"];
const LONG_FUNCTION_LINES = 80;
/** Members of two contracts' structs: each file that names one knows of it by hand. */
const MEMBERS = ["perTransaction", "soulMerkleRoot"];

interface MeasuredFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly tokens: number;
  readonly interfaces: number;
  readonly interfacesWithMethods: number;
  readonly bagTypes: number;
  readonly longFunctions: number;
  readonly longestFunction: number;
}

/** What people wrote of a commit's TypeScript, and how many operations its OpenAPI document has. */
interface Tree {
  readonly files: readonly MeasuredFile[];
  readonly operations: number;
}

type Row = readonly [name: string, value: string | number];

function measured({ files, operations }: Tree): Row[] {
  const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));
  const withoutPages = inFolder("api").filter(
    ({ path }) => !/^api\/pages\/|\.page\.tsx$|\/pages\//.test(path),
  );
  // What moves from one to the other is not gone.
  const service = [...inFolder("api"), ...inFolder("web")];
  const sources = files.filter(({ path }) => !path.startsWith("test/"));
  return [
    ...FOLDERS.map((folder): Row => {
      const own = inFolder(folder);
      return [
        `${folder}/: lines; tokens`,
        `${sum(own, ({ lines }) => lines)}; ${sum(own, ({ tokens }) => tokens)}`,
      ];
    }),
    [
      "lines of api/ without pages, for each operation",
      Math.round(sum(withoutPages, ({ lines }) => lines) / operations),
    ],
    [
      "interfaces in api/ and web/; with methods",
      `${sum(service, (file) => file.interfaces)}; ${sum(service, (file) => file.interfacesWithMethods)}`,
    ],
    [
      "types called …Deps, …Options or …Parts in api/ and web/",
      sum(service, ({ bagTypes }) => bagTypes),
    ],
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
      `${sum(sources, (file) => file.longFunctions)}; ${Math.max(...sources.map((file) => file.longestFunction))}`,
    ],
  ];
}

function sum(files: readonly MeasuredFile[], count: (file: MeasuredFile) => number): number {
  return files.reduce((total, file) => total + count(file), 0);
}

function measuredFile(path: string, text: string): MeasuredFile {
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
    path,
    text,
    lines: text.split("\n").length - 1,
    tokens,
    interfaces,
    interfacesWithMethods,
    bagTypes,
    longFunctions: lengths.filter((length) => length > LONG_FUNCTION_LINES).length,
    longestFunction: Math.max(0, ...lengths),
  };
}

function read(commit: string): Tree {
  const folder = mkdtempSync(join(tmpdir(), "house-"));
  try {
    const archive = execFileSync("git", ["archive", commit], { maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    const { paths: routes } = readJson<{ paths: object }>(join(folder, "docs/openapi.json"));
    return {
      files: globSync(`{${FOLDERS.join(",")}}/**/*.{ts,tsx}`, { cwd: folder })
        .filter((path) => !path.includes("/generated/"))
        .map((path) => measuredFile(path, readFileSync(join(folder, path), "utf8"))),
      operations: Object.values(routes).flatMap((route: object) => Object.keys(route)).length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const commits = process.argv.slice(2);
if (commits.length === 0) {
  const { output } = await run("git", ["stash", "create"]);
  commits.push(output || "HEAD");
}
const columns = commits.map((commit) => measured(read(commit)));
console.log(`| | ${commits.map((commit) => commit.slice(0, 8)).join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(commits.length)}`);
for (const [index, [name]] of (columns[0] ?? []).entries()) {
  console.log(`| ${name} | ${columns.map((rows) => rows[index]?.[1]).join(" | ")} |`);
}
