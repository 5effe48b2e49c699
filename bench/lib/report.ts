import { readFileSync, writeFileSync } from "node:fs";

/** The document that holds the section of every benchmark. */
const README = new URL("../README.md", import.meta.url);

/** A measured value and the value it is compared with. */
export interface Comparison {
  readonly what: string;
  readonly ours: number;
  readonly peer: {
    readonly name: string;
    readonly value: number;
  };
  readonly aim: Aim;
  /** What dominates the measured value, and what was tried: printed when the aim is missed. */
  readonly bound: string;
}

/** The aim for `ours`: small for a cost, large for a rate. */
export type Aim = { readonly text: string } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
);

const HEADER = ["what", "ours", "peer", "ratio", "aim", "met"] as const;

/** A Markdown table of the comparisons, followed by the reason for each missed aim. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ what, ours, peer, aim }) => [
    what,
    number(ours),
    `${number(peer.value)} (${peer.name})`,
    "atLeast" in aim && ours >= 2 * peer.value
      ? `${(ours / peer.value).toFixed(1)} times`
      : ratio(ours / peer.value),
    aim.text,
    isMet({ ours, aim }) ? "yes" : "**no**",
  ]);
  const table = [HEADER, HEADER.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const missed = comparisons.filter((comparison) => !isMet(comparison));
  if (missed.length === 0) return `${table}\n\nEvery aim is met.`;
  const bounds = [...new Set(missed.map(({ bound }) => bound))].map((bound) => {
    const whats = new Set(missed.filter((row) => row.bound === bound).map(({ what }) => what));
    return `- ${[...whats].join("; ")}: ${bound}`;
  });
  return `${table}\n\nMissed, and what bounds it:\n\n${bounds.join("\n")}`;
}

export function isMet({ ours, aim }: Pick<Comparison, "ours" | "aim">): boolean {
  return "atMost" in aim ? ours <= aim.atMost : ours >= aim.atLeast;
}

/** Prints a benchmark's section and, unless it is only tried, writes it into the document. */
export function publish(name: string, section: string, isTrial: boolean): void {
  console.log(section);
  if (!isTrial) writeSection(name, section);
}

/** Replaces the content between the two comments of this name, and what {@link overview} makes of all of them. */
function writeSection(name: string, content: string): void {
  const before = readFileSync(README, "utf8");
  const after = replaced(before, `<!-- ${name}: measured -->`, `<!-- /${name} -->`, content);
  const whole = replaced(after, "<!-- overview -->", "<!-- /overview -->", overview(after));
  writeFileSync(README, whole);
}

function replaced(text: string, begin: string, end: string, content: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`${README.pathname} has no section ${begin} … ${end}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** How many aims of each benchmark's tables are met, and which are missed. */
function overview(text: string): string {
  const sections = [...text.matchAll(/<!-- ([\w-]+): measured -->(.*?)<!-- \/\1 -->/gs)];
  const rows = sections.flatMap(([, name = "", section = ""]) => {
    const judged = [...section.matchAll(/^\| ([^|]+) \|.* \| (yes|\*\*no\*\*) \|$/gm)];
    if (judged.length === 0) return [];
    const missed = judged.flatMap(([, what, met]) => (met === "yes" ? [] : what));
    const met = judged.length - missed.length;
    return [`| ${name} | ${met} of ${judged.length} | ${[...new Set(missed)].join("; ")} |`];
  });
  return ["| benchmark | aims met | missed |", "| --- | --- | --- |", ...rows].join("\n");
}

/** With a thousands separator: 76,338. Below 1,000 with one decimal digit if there is one. */
function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 1_000 ? 1 : 0 });
}

function ratio(value: number): string {
  return value < 0.01 ? `1/${number(Math.round(1 / value))}` : `${(value * 100).toFixed(1)} %`;
}
