import { Marked, type Token, type Tokens } from "marked";

/** A heading below the title. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly depth: number;
}

/** What stands below one heading, as plain text for the search. */
interface Section {
  /** Of its heading; empty for what stands before the first one. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  /** The first paragraph, for links to the page. */
  readonly summary: string;
  /** What follows the title. Text and code are escaped, and no tag of the source is kept. */
  readonly html: string;
  readonly contents: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Depth of headings that the table of contents lists, and that begin a section of the search. */
const SECTION_DEPTH = 3;

/**
 * Renders a document. Tags of the source are shown as text, images as their description, and a
 * link without a target as its text.
 *
 * @param linkOf The address of a link's target on the site, or null.
 * @throws Error when the document does not begin with a title.
 */
export function renderMarkdown(source: string, linkOf: (href: string) => string | null): Rendered {
  const [first, ...tokens] = new Marked().lexer(source).filter(({ type }) => type !== "space");
  if (first?.type !== "heading" || first.depth !== 1) {
    throw new Error(`A document begins with a title, not with ${first?.raw.slice(0, 60)}.`);
  }
  const ids = headingIds(tokens);
  const contents = [...ids]
    .filter(([{ depth }]) => depth <= SECTION_DEPTH)
    .map(([heading, id]) => ({ id, text: plainText(heading), depth: heading.depth }));
  const paragraph = tokens.find(({ type }) => type === "paragraph");
  return {
    title: plainText(first),
    summary: paragraph === undefined ? "" : shortened(plainText(paragraph)),
    html: markedFor(ids, linkOf).parser(tokens),
    contents,
    sections: sectionsOf(tokens, ids),
  };
}

/** The ids of headings, in the form that links between documents use. */
function headingIds(tokens: readonly Token[]): ReadonlyMap<Tokens.Heading, string> {
  const ids = new Map<Tokens.Heading, string>();
  const taken = new Set<string>();
  for (const token of tokens.filter(isHeading)) {
    const words = plainText(token)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let id = words;
    for (let count = 1; taken.has(id); count += 1) id = `${words}-${count}`;
    taken.add(id);
    ids.set(token, id);
  }
  return ids;
}

/** Writes HTML that the pages' policy and a narrow window allow. */
function markedFor(
  ids: ReadonlyMap<Tokens.Heading, string>,
  linkOf: (href: string) => string | null,
): Marked {
  return new Marked({
    renderer: {
      heading(token) {
        const { depth, tokens } = token;
        const id = escaped(ids.get(token) ?? "");
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="heading-link" href="#${id}">${text}</a></h${depth}>\n`;
      },
      // A keyboard can scroll only what it can focus.
      code({ text, lang }) {
        const block = `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>`;
        const file = fileNameOf(lang);
        if (file === null) return `${block}\n`;
        return `<figure class="file"><figcaption>${escaped(file)}</figcaption>${block}</figure>\n`;
      },
      codespan: ({ text }) => `<code class="code">${escaped(text)}</code>`,
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const head = `<thead><tr>${cells(header, "th")}</tr></thead>`;
        const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table-scroll" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkOf(href);
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
    },
  });
}

/** The name of a code block's file: `js title="server.mjs"` names `server.mjs`. */
function fileNameOf(info: string | undefined): string | null {
  return info?.match(/\btitle="([^"]+)"/)?.[1] ?? null;
}

function sectionsOf(
  tokens: readonly Token[],
  ids: ReadonlyMap<Tokens.Heading, string>,
): readonly Section[] {
  const sections = [{ id: "", heading: "", texts: [] as string[] }];
  for (const token of tokens) {
    if (isHeading(token) && token.depth <= SECTION_DEPTH) {
      sections.push({ id: ids.get(token) ?? "", heading: plainText(token), texts: [] });
    } else {
      sections.at(-1)?.texts.push(plainText(token));
    }
  }
  return sections
    .map(({ id, heading, texts }) => ({ id, heading, text: texts.join("\n").trim() }))
    .filter(({ heading, text }) => heading !== "" || text !== "");
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** The words of a token without their markup. */
function plainText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(inlineText).join(" ")).join("\n");
  }
  if (token.type === "list") return (token as Tokens.List).items.map(plainText).join("\n");
  return inlineText(token as { tokens?: Token[]; text?: string });
}

function inlineText({ tokens, text }: { tokens?: readonly Token[]; text?: string }): string {
  return tokens === undefined ? (text ?? "") : tokens.map(plainText).join("");
}

const SUMMARY_LENGTH = 160;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (line.length <= SUMMARY_LENGTH) return line;
  return `${line.slice(0, line.lastIndexOf(" ", SUMMARY_LENGTH))} …`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
