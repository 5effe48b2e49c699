import { CCSF_LIMITS } from "../ccsf.ts";
import { isPlainObject } from "../json.ts";
import { legalName } from "../names.ts";
import { type IdentityDefaults, InvalidSourceError, type SourceFormat } from "./format.ts";
import { readYaml } from "./yaml.ts";

const FORMAT = "soul_md";

/** Front matter keys, and the member that each sets. */
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

/**
 * Headings of fields, in lower case. Text under any other heading belongs to the personality, with
 * its heading.
 */
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
 * Markdown with optional YAML front matter. The text below the first heading of level one is the
 * description, unless the front matter has one. Second-level headings name fields. In a list, each
 * bullet or numbered point is an entry; without one, each paragraph. When neither front matter nor
 * caller gives the name, the first heading gives it, in a form that can be registered. When neither
 * gives the type, it is `other`.
 *
 * Every pattern below is anchored and ends at the first character that does not match, so that the
 * work is linear in the length of the text.
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

/** Copies the front matter into the draft. Returns the index of the first line after it. */
function readFrontMatter(lines: readonly string[], draft: Draft): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && FRONT_MATTER_ENDS.has(line.trimEnd()));
  if (end < 0) throw new InvalidSourceError(FORMAT, 1, "opens front matter that is not closed");

  const values = readYaml(lines.slice(1, end).join("\n"), FORMAT, 2) ?? {};
  if (!isPlainObject(values)) {
    throw new InvalidSourceError(FORMAT, 2, "must start a map of keys and values");
  }
  for (const [key, value] of Object.entries(values)) {
    const place = Object.hasOwn(FRONT_MATTER, key) ? FRONT_MATTER[key] : undefined;
    const line = lines.findIndex((candidate) => candidate.startsWith(`${key}:`)) + 1;
    const at = line === 0 ? 2 : line;
    if (place === undefined) {
      throw new InvalidSourceError(FORMAT, at, "has an unknown key");
    }
    const [section, field] = place;
    if (draft[section][field] !== undefined) {
      throw new InvalidSourceError(FORMAT, at, `repeats ${section}.${field}`);
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

/**
 * Copies the text below the front matter into the draft. Returns the first heading of level one, or
 * null.
 */
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
    // Front matter may hold any type; normalising rejects values that are not text.
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

/** The text of a heading, without closing marks: `Skills ##`. */
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
    throw new InvalidSourceError(FORMAT, line, `repeats ${section}.${field}`);
  }
  draft[section][field] = content;
}

/** Each bullet or numbered point with its continuation lines; without any, each paragraph. */
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
