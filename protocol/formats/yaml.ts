import { isCollection, isMap, isPair, isScalar, Lexer, LineCounter, parseDocument } from "yaml";
import { CCSF_LIMITS } from "../ccsf.ts";
import { InvalidSourceError } from "./format.ts";

/**
 * Reads one YAML 1.2 document as plain data. Rejects what could mislead a reader or exhaust the
 * parser: anchors, aliases, tags, merge keys, repeated keys, deep nesting, a second document.
 *
 * @param firstLine line number of this part in the whole text, for messages.
 * @throws InvalidSourceError with the line.
 */
export function readYaml(text: string, format: string, firstLine = 1): unknown {
  const refuse = (line: number | null, problem: string) =>
    new InvalidSourceError(format, line === null ? null : line + firstLine - 1, problem);
  if (new TextEncoder().encode(text).length > CCSF_LIMITS.bytes) {
    throw refuse(null, `must not exceed ${CCSF_LIMITS.bytes} bytes`);
  }
  // Checked before the parser, which recurses.
  assertShallow(text, refuse);

  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    strict: true,
    // The library compares each key with every other key.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
    lineCounter: lines,
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    throw refuse(lines.linePos(error.pos[0]).line, `is not valid YAML (${error.code})`);
  }
  assertUniqueKeys(document.contents, (offset, problem) =>
    refuse(lines.linePos(offset).line, problem),
  );
  return document.toJS({ maxAliasCount: 0 }) as unknown;
}

/** Keys are compared as text, as in the plain data: 1 and "1" are equal. */
function assertUniqueKeys(
  root: unknown,
  refuse: (offset: number, problem: string) => InvalidSourceError,
): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isPair(node)) open.push(node.value);
    if (!isCollection(node)) continue;
    for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    const seen = new Set<string>();
    for (const { key } of node.items) {
      const offset = rangeOf(key) ?? rangeOf(node) ?? 0;
      if (isCollection(key)) throw refuse(offset, "has a key that is not a plain value");
      const name = isScalar(key) ? String(key.value ?? "") : "";
      if (seen.has(name)) throw refuse(offset, "is not valid YAML (DUPLICATE_KEY)");
      seen.add(name);
    }
  }
}

function rangeOf(node: unknown): number | undefined {
  return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
}

type Refuse = (line: number | null, problem: string) => InvalidSourceError;

/**
 * Twice the tokens of a document whose lists all have their greatest length. The parser takes some
 * microseconds for each token, and a long text is one token.
 */
const MAX_TOKENS = 32_768;

/** The lexer puts this mark before each scalar, so that a text is never read as an indicator. */
const SCALAR_FOLLOWS = "\u001f";

/** The lexer does not recurse, and marks each token by its first character. */
function assertShallow(text: string, refuse: Refuse): void {
  let line = 1;
  let flow = 0;
  let indicators = 0;
  let isScalar = false;
  let atLineStart = true;
  const indents: number[] = [];
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > MAX_TOKENS) throw refuse(line, "has more entries than a soul can hold");
    if (token === SCALAR_FOLLOWS) {
      isScalar = true;
      continue;
    }
    const first = token.charAt(0);
    if (!isScalar) {
      const forbidden = FORBIDDEN[first];
      if (forbidden !== undefined) throw refuse(line, forbidden);
      if (first === "[" || first === "{") flow += 1;
      if (first === "]" || first === "}") flow -= 1;
    }
    if (!isScalar && (token === "-" || token === "?" || token === ":")) indicators += 1;
    else if (!/^[ \n]*$/.test(token)) indicators = 0;
    if (atLineStart && /^ +$/.test(token)) {
      while (indents.length > 0 && (indents.at(-1) ?? 0) >= token.length) indents.pop();
      indents.push(token.length);
    }
    if (Math.max(flow, indicators, indents.length) > CCSF_LIMITS.depth) {
      throw refuse(line, "is nested too deeply");
    }
    atLineStart = token.endsWith("\n");
    line += token.split("\n").length - 1;
    isScalar = false;
  }
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  "&": "has an anchor, which is not allowed",
  "*": "has an alias, which is not allowed",
  "!": "has a tag, which is not allowed",
};
