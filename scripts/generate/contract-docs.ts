import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../lib/artifacts.ts";
import { readJson } from "../lib/json-file.ts";

// Writes docs/contracts.md from the NatSpec of contracts/interfaces. The compiler's syntax tree
// holds every comment with its element. Comments on members of structs and enums are read from the
// source text, because the compiler drops them.

/** The used part of the compiler's syntax tree. */
export interface Node {
  readonly nodeType: string;
  readonly name: string;
  /** Start and length in bytes, then the file's number. */
  readonly src: string;
  readonly documentation?: { readonly src: string };
  readonly nodes?: readonly Node[];
  readonly members?: readonly Node[];
  readonly parameters?: { readonly parameters: readonly Node[] };
  readonly returnParameters?: { readonly parameters: readonly Node[] };
  readonly baseContracts?: readonly { readonly baseName: { readonly name: string } }[];
  readonly typeDescriptions?: { readonly typeString: string };
  readonly functionSelector?: string;
  readonly errorSelector?: string;
  readonly stateMutability?: string;
  readonly indexed?: boolean;
}

interface InterfaceArtifact {
  readonly inputSourceName: string;
  readonly buildInfoId: string;
}

interface BuildInput {
  readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
}

interface BuildOutput {
  readonly output: { readonly sources: Readonly<Record<string, { readonly ast: Node }>> };
}

/** An element of an interface lacks `@notice`. */
class UndocumentedError extends Error {
  override readonly name = "UndocumentedError";
  constructor(readonly elements: readonly string[]) {
    super(`These have no @notice: ${elements.join(", ")}`);
  }
}

const INTRODUCTION = `# Contracts

Written by \`npm run generate\` from the comments in \`contracts/interfaces\`: what each contract promises, to whom, and what it does
not. What is not said to revert still can, when the contract that it calls does.
`;

/**
 * The reference of every interface in contracts/interfaces, as Markdown, in the order of their names. Needs compiled contracts.
 *
 * @throws UndocumentedError naming every element without a `@notice`.
 */
export function contractDocs(): string {
  const interfaces = globSync("artifacts/contracts/interfaces/*.sol/*.json", { cwd: ROOT })
    .map((path) => ({ name: basename(path, ".json"), source: readSource(path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return documentInterfaces(interfaces);
}

/** As {@link contractDocs}, for the given interfaces. */
export function documentInterfaces(
  interfaces: readonly { readonly name: string; readonly source: Source }[],
): string {
  const undocumented: string[] = [];
  const index = interfaces.map(({ name }) => `- [${name}](#${name.toLowerCase()})`).join("\n");
  const sections = interfaces.map(({ name, source }) => {
    const contract = source.ast.nodes?.find(
      (node) => node.nodeType === "ContractDefinition" && node.name === name,
    );
    if (!contract) throw new Error(`There is no ${name} in the source that it was compiled from.`);
    return section(contract, source, undocumented);
  });
  if (undocumented.length > 0) throw new UndocumentedError(undocumented);
  return [INTRODUCTION, `${index}\n`, ...sections].join("\n");
}

/** A source file as the compiler read it. */
export interface Source {
  readonly ast: Node;
  /** Bytes, because the tree's positions count bytes. */
  readonly content: Buffer;
}

function readSource(artifactPath: string): Source {
  const { buildInfoId, inputSourceName } = readJson<InterfaceArtifact>(join(ROOT, artifactPath));
  const build = join(ROOT, "artifacts", "build-info", buildInfoId);
  const ast = readJson<BuildOutput>(`${build}.output.json`).output.sources[inputSourceName]?.ast;
  const text = readJson<BuildInput>(`${build}.json`).input.sources[inputSourceName]?.content;
  if (!ast || text === undefined)
    throw new Error(`${buildInfoId} does not hold ${inputSourceName}.`);
  return { ast, content: Buffer.from(text) };
}

function section(contract: Node, source: Source, undocumented: string[]): string {
  const of = (type: string) => (contract.nodes ?? []).filter(({ nodeType }) => nodeType === type);
  const comment = (node: Node, what = `${contract.name}.${node.name}`) => {
    const tags = parseNatSpec(commentText(node, source));
    if (tags.notice === "") undocumented.push(what);
    return tags;
  };
  const own = comment(contract, contract.name);
  const bases = (contract.baseContracts ?? []).map(({ baseName }) => `\`${baseName.name}\``);
  const typeOf = (node: Node) => typeText(node, contract.name);

  const callable = (node: Node, heading: string): string => {
    const tags = comment(node);
    const list = (title: string, entries: readonly (readonly [string, string])[]) =>
      entries.length === 0
        ? []
        : [title, "", ...entries.map(([name, text]) => `- \`${name}\`: ${text}`), ""];
    return [
      heading,
      "",
      tags.notice,
      "",
      ...(tags.dev === "" ? [] : [tags.dev, ""]),
      ...list(node.nodeType === "FunctionDefinition" ? "Takes" : "Fields", tags.params),
      ...list("Returns", tags.returns),
    ].join("\n");
  };
  const table = (node: Node, columns: string, row: (member: Node) => string): string => {
    const members = node.members ?? [];
    return [
      `#### ${node.name}`,
      "",
      comment(node).notice,
      "",
      columns,
      columns.replace(/[^|]+/g, "---"),
      ...members.map((member, index) => {
        const text = cell(memberComment(source, node, members[index - 1], member));
        return `| ${row(member)} | ${text} |`.replace(/ {2}\|$/, " |");
      }),
      "",
    ].join("\n");
  };

  const groups: readonly (readonly [title: string, entries: readonly string[]])[] = [
    [
      "Functions",
      of("FunctionDefinition").map((node) => {
        const parameters = node.parameters?.parameters.map((item) => argument(item, typeOf));
        const returned = node.returnParameters?.parameters.map((item) => argument(item, typeOf));
        const mutability = node.stateMutability === "nonpayable" ? "" : ` ${node.stateMutability}`;
        const result = returned?.length ? ` returns (${returned.join(", ")})` : "";
        const code = `${node.name}(${parameters?.join(", ")})${mutability}${result}`;
        return callable(node, `#### ${node.name}\n\n\`${code}\` · \`0x${node.functionSelector}\``);
      }),
    ],
    [
      "Events",
      of("EventDefinition").map((node) => {
        const parameters = node.parameters?.parameters.map((item) => argument(item, typeOf));
        return callable(node, `#### ${node.name}\n\n\`${node.name}(${parameters?.join(", ")})\``);
      }),
    ],
    [
      "Errors",
      of("ErrorDefinition").map((node) => {
        const parameters = node.parameters?.parameters.map((item) => argument(item, typeOf));
        const code = `${node.name}(${parameters?.join(", ")})`;
        return callable(node, `#### ${node.name}\n\n\`${code}\` · \`0x${node.errorSelector}\``);
      }),
    ],
    [
      "Structs",
      of("StructDefinition").map((node) =>
        table(
          node,
          "| field | type | meaning |",
          (member) => `\`${member.name}\` | \`${typeOf(member)}\``,
        ),
      ),
    ],
    [
      "Enums",
      of("EnumDefinition").map((node) =>
        table(
          node,
          "| value | name | meaning |",
          (member) => `${node.members?.indexOf(member)} | \`${member.name}\``,
        ),
      ),
    ],
  ];

  return [
    `## ${contract.name}`,
    "",
    ...(own.title === "" ? [] : [`**${own.title}.** ${own.notice}`]),
    ...(own.title === "" ? [own.notice] : []),
    "",
    ...(own.dev === "" ? [] : [own.dev, ""]),
    ...(bases.length === 0 ? [] : [`Also everything of ${bases.join(", ")}.`, ""]),
    ...groups
      .filter(([, entries]) => entries.length > 0)
      .map(([title, entries]) => [`### ${title} of ${contract.name}`, "", ...entries].join("\n")),
  ].join("\n");
}

function argument(node: Node, typeOf: (node: Node) => string): string {
  return [typeOf(node), node.indexed ? "indexed" : "", node.name].filter(Boolean).join(" ");
}

/** The type as written inside the interface, without the compiler's additions. */
function typeText(node: Node, contractName: string): string {
  return (node.typeDescriptions?.typeString ?? "")
    .replace(/\b(struct|enum|contract) /g, "")
    .replaceAll(`${contractName}.`, "");
}

export interface NatSpec {
  readonly title: string;
  readonly notice: string;
  readonly dev: string;
  readonly params: readonly (readonly [name: string, text: string])[];
  readonly returns: readonly (readonly [name: string, text: string])[];
}

/** Text without a tag is a notice, as in the compiler. */
export function parseNatSpec(text: string): NatSpec {
  const found: { tag: string; lines: string[] }[] = [{ tag: "notice", lines: [] }];
  for (const line of text.split("\n").map((part) => part.trim())) {
    const [, tag, rest] = /^@(\w+) ?(.*)$/.exec(line) ?? [];
    if (tag === undefined) found.at(-1)?.lines.push(line);
    else found.push({ tag, lines: [rest ?? ""] });
  }
  const all = (tag: string) =>
    found.filter((part) => part.tag === tag).map(({ lines }) => prose(lines));
  const one = (tag: string) => all(tag).filter(Boolean).join("\n\n");
  const named = (tag: string) =>
    all(tag).map((part) => {
      const [, name = "", rest = ""] = /^(\w+) ?([\s\S]*)$/.exec(part) ?? [];
      return [name, rest] as const;
    });
  return {
    title: one("title"),
    notice: one("notice"),
    dev: one("dev"),
    params: named("param"),
    returns: named("return"),
  };
}

/** Lines as paragraphs; a reference such as `{propose}` becomes the name alone. */
function prose(lines: readonly string[]): string {
  return lines
    .join("\n")
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .join("\n\n")
    .replace(/\{([\w.]+)(?:-(\w+))?\}/g, (_match, first: string, second?: string) =>
      second === undefined ? `\`${first}\`` : `\`${first}.${second}\``,
    );
}

/** The `///` lines between the member before (or the opening brace) and this member. */
function memberComment(
  source: Source,
  parent: Node,
  before: Node | undefined,
  member: Node,
): string {
  const [start = 0, length = 0] = position(before ?? parent);
  const from = before ? start + length : start;
  const between = source.content.subarray(from, position(member)[0]).toString("utf8");
  const text = before ? between : between.slice(between.indexOf("{") + 1);
  return prose(commentLines(text).map((line) => line.replace(/^@\w+ /, "")));
}

/** The comment as written: the tree's text has lost empty lines and so its paragraphs. */
function commentText(node: Node, source: Source): string {
  if (node.documentation === undefined) return "";
  const [start = 0, length = 0] = node.documentation.src.split(":").map(Number);
  return commentLines(source.content.subarray(start, start + length).toString("utf8")).join("\n");
}

function commentLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("///"))
    .map((line) => line.slice(3).trim());
}

function position(node: Node): number[] {
  return node.src.split(":").map(Number);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n\n", "<br>");
}
