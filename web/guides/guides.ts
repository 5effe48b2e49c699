import { type Rendered, renderMarkdown } from "./markdown.ts";

/** Folders of `docs/` whose documents are pages; each has a route in `guides.page.tsx`. */
export const GUIDE_FOLDERS = ["", "tutorials", "adr"] as const;

/** A document as its file has it. */
export interface MarkdownFile {
  /** Inside `docs/`, such as `adr/0003-epochs.md`. */
  readonly path: string;
  readonly text: string;
}

/** A document as its page shows it. */
export interface Guide extends Rendered {
  /** Address of its page, such as `/docs/adr/0003-epochs`. */
  readonly url: string;
}

export type Guides = ReturnType<typeof listGuides>;

/** Other files of the project that guides link to and the service answers. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  "README.md": "/",
  "docs/openapi.json": "/v1/openapi.json",
};

/** Guides that are rendered: all of them, and each by the address of its page. */
export function listGuides(all: readonly Guide[]) {
  const byUrl = new Map(all.map((guide) => [guide.url, guide]));
  return { all, find: (url: string) => byUrl.get(url) };
}

/** Renders the documents of `docs/`. */
export function createGuides(files: readonly MarkdownFile[]): Guides {
  const urls = new Map(Object.entries(OTHER_PAGES));
  for (const { path } of files) urls.set(`docs/${path}`, urlOf(path));
  const guides = files.map(({ path, text }): Guide => {
    const linkOf = (href: string) => linkTarget(href, path, urls);
    return { url: urlOf(path), ...renderMarkdown(text, linkOf) };
  });
  return listGuides(guides);
}

/** A folder's README is the page of the folder. */
function urlOf(path: string): string {
  const name = path.replace(/\.md$/, "").replace(/(^|\/)README$/, "");
  return name === "" ? "/docs" : `/docs/${name}`;
}

/**
 * Where a link leads on the site. Null for a file that the service does not answer, such as
 * source code.
 */
function linkTarget(href: string, path: string, urls: ReadonlyMap<string, string>): string | null {
  if (href.startsWith("#") || /^(https?|mailto):/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///docs/${path}`);
  const file = decodeURIComponent(pathname).replace(/^\//, "").replace(/\/$/, "/README.md");
  const url = urls.get(file);
  return url === undefined ? null : url + hash;
}
