import { CCSF_LIMITS } from "../ccsf.ts";
import { isPlainObject } from "../json.ts";
import { legalName } from "../names.ts";
import { type IdentityDefaults, InvalidSourceError, type SourceFormat } from "./format.ts";
import { readYaml } from "./yaml.ts";

const FORMAT = "soul_md";

/** Front matter keys, and where each belongs. */
const FRONT_MATTER: Readonly<Record<string, readonly [Section, string]>> = {
  name: ["identity", "name"],
  agent_type: ["identity", "agent_type"],
  type: ["identity", "agent_type"],
  description: ["identity", "description"],
  purpose: ["soul", "purpose"],
  personality: ["soul", "personality"],
  constraints: ["soul", "constraints"],
  guidelines: ["soul", "guidelines"],
  skills: ["capabilities", "skills"],
  tools: ["capabilities", "tools"],
  languages: ["capabilities", "languages"],
  models: ["capabilities", "models"],
};

/** Headings that name a field, in lower case. Any other heading is a part of the personality, heading and all. */
const HEADINGS: Readonly<Record<string, keyof typeof FRONT_MATTER>> = {
  ...Object.fromEntries(
    [
      "description",
      "purpose",
      "personality",
      "constraints",
      "guidelines",
      "skills",
      "tools",
      "languages",
      "models",
    ].map((key) => [key, key]),
  ),
  about: "description",
  mission: "purpose",
  boundaries: "constraints",
  rules: "guidelines",
};

const LISTS: ReadonlySet<string> = new Set([
  "constraints",
  "guidelines",
  "skills",
  "tools",
  "languages",
  "models",
]);

type Section = "identity" | "soul" | "capabilities";

type Draft = Record<Section, Record<string, unknown>>;

/**
 * Markdown with optional YAML front matter. The text below the first heading of level one is the description, unless the front
 * matter gives one; second-level headings name fields. In a section that is a list, each bullet or numbered point is an entry,
 * and without any each paragraph. Where neither front matter nor caller name the agent, the heading does, as a name that can be
 * registered; where neither says its type, it is `other`.
 *
 * Every pattern below is anchored and ends at the first character that does not fit, so that the work grows with the text alone.
 */
export const soulMd: SourceFormat = {
  name: FORMAT,
  parse: (text) => {
    if (new TextEncoder().encode(text).length > CCSF_LIMITS.bytes) {
      throw new InvalidSourceError(FORMAT, null, `must not exceed ${CCSF_LIMITS.bytes} bytes`);
    }
    const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
    const draft: Draft = { identity: {}, soul: {}, capabilities: {} };
    const body = readFrontMatter(lines, draft);
    const title = readBody(lines, body, draft);
    const defaults: IdentityDefaults = { agent_type: "other" };
    if (title !== null) defaults.name = legalName(title) ?? title;
    return { document: draft, defaults };
  },
};

const FRONT_MATTER_ENDS: ReadonlySet<string> = new Set(["---", "..."]);

/** Puts what the front matter says into the draft. Returns the index of the first line after it. */
function readFrontMatter(lines: readonly string[], draft: Draft): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && FRONT_MATTER_ENDS.has(line.trimEnd()));
  if (end < 0) throw new InvalidSourceError(FORMAT, 1, "begins front matter that never ends");

  const values = readYaml(lines.slice(1, end).join("\n"), FORMAT, 2) ?? {};
  if (!isPlainObject(values)) {
    throw new InvalidSourceError(FORMAT, 2, "must begin a list of keys and values");
  }
  for (const [key, value] of Object.entries(values)) {
    const place = Object.hasOwn(FRONT_MATTER, key) ? FRONT_MATTER[key] : undefined;
    const line = lines.findIndex((candidate) => candidate.startsWith(`${key}:`)) + 1;
    const at = line === 0 ? 2 : line;
    if (place === undefined) {
      throw new InvalidSourceError(FORMAT, at, "has a key that no soul has");
    }
    const [section, field] = place;
    if (draft[section][field] !== undefined) {
      throw new InvalidSourceError(FORMAT, at, `says ${section}.${field} a second time`);
    }
    draft[section][field] = value ?? undefined;
  }
  return end + 1;
}

interface Passage {
  readonly heading: string;
  readonly line: number;
  readonly lines: string[];
}

/** Puts what stands below the front matter into the draft. Returns the first heading of level one, or null. */
function readBody(lines: readonly string[], first: number, draft: Draft): string | null {
  const { title, intro, passages } = passagesOf(lines, first);
  const others: string[] = [];
  const opening = intro.join("\n").trim();
  if (opening !== "" && draft.identity.description !== undefined) others.push(opening);
  else if (opening !== "") draft.identity.description = opening;
  for (const passage of passages) {
    const key = passage.heading.toLowerCase();
    const field = Object.hasOwn(HEADINGS, key) ? HEADINGS[key] : undefined;
    if (field === undefined) {
      others.push(`## ${passage.heading}\n${passage.lines.join("\n").trim()}`.trim());
    } else {
      const content = LISTS.has(field) ? entriesOf(passage.lines) : passage.lines.join("\n").trim();
      put(draft, field, content, passage.line);
    }
  }
  if (others.length > 0) {
    const stated = draft.soul.personality;
    // Front matter may say anything; normalising refuses what is no text.
    if (stated !== undefined && typeof stated !== "string") return title;
    draft.soul.personality = [...(stated ? [stated] : []), ...others].join("\n\n");
  }
  return title;
}

function passagesOf(lines: readonly string[], first: number) {
  let title: string | null = null;
  const intro: string[] = [];
  const passages: Passage[] = [];
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    if (index < first) continue;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
    }
    const marks = fence === null ? /^#{1,2}[ \t]/.exec(line)?.[0] : undefined;
    const words = marks === undefined ? "" : headingWords(line.slice(marks.length));
    if (marks?.length === 2 && title === null && passages.length === 0 && words !== "") {
      title = words;
    } else if (words !== "") {
      passages.push({ heading: words, line: index + 1, lines: [] });
    } else {
      (passages.at(-1)?.lines ?? intro).push(line);
    }
  }
  return { title, intro, passages };
}

/** The words of a heading, without the marks that may close it: `Skills ##`. */
function headingWords(text: string): string {
  const words = text.trim();
  let end = words.length;
  while (words[end - 1] === "#") end -= 1;
  const closes = end < words.length && (words[end - 1] === " " || words[end - 1] === "\t");
  return closes ? words.slice(0, end).trim() : words;
}

function put(draft: Draft, key: string, content: string | string[], line: number): void {
  const [section, field] = FRONT_MATTER[key] ?? ["soul", "personality"];
  if (draft[section][field] !== undefined) {
    throw new InvalidSourceError(FORMAT, line, `says ${section}.${field} a second time`);
  }
  draft[section][field] = content;
}

/** Each bullet or numbered point with the lines that continue it; without any, each paragraph. */
function entriesOf(lines: readonly string[]): string[] {
  const points: string[] = [];
  for (const line of lines) {
    const mark = /^ {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]/.exec(line)?.[0];
    if (mark !== undefined) points.push(line.slice(mark.length));
    else if (points.length > 0 && line.trim() !== "") {
      points[points.length - 1] += `\n${line.trim()}`;
    }
  }
  const entries = points.length > 0 ? points : lines.join("\n").split(/\n[ \t]*\n/);
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}
