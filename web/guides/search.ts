import MiniSearch, { type AsPlainObject, type Options, type SearchResult } from "minisearch";
import type { Guide } from "./guides.ts";

/** What the search finds: a section of a guide, or an operation of the API. */
export interface SearchEntry {
  readonly url: string;
  /** Of the guide; "API" for an operation. */
  readonly title: string;
  /** Of the section; the operation's method and path. */
  readonly heading: string;
  readonly text: string;
}

export interface Found extends Omit<SearchEntry, "text"> {
  /** The words around the first match. */
  readonly excerpt: string;
}

export type DocsSearch = ReturnType<typeof searchIn>;

const MAX_RESULTS = 20;
const MAX_TERMS = 8;
const EXCERPT_LENGTH = 200;
/** Words shorter than this match only themselves: nearly every word is one letter away. */
const MIN_FUZZY_LENGTH = 5;

const OPTIONS: Options<SearchEntry> = {
  idField: "url",
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading", "text"],
  searchOptions: {
    boost: { title: 3, heading: 4 },
    prefix: true,
    fuzzy: (term) => (term.length < MIN_FUZZY_LENGTH ? false : 0.2),
    combineWith: "AND",
  },
};

/** Indexes the sections of all guides. */
export function createSearch(guides: readonly Guide[]) {
  return searchIn(() => indexGuides(guides));
}

/** The search over an index that {@link indexGuides} made and JSON carried. */
export function openSearch(saved: AsPlainObject) {
  return searchIn(() => MiniSearch.loadJS(saved, OPTIONS));
}

/** The index of the sections of all guides. */
export function indexGuides(guides: readonly Guide[]): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>(OPTIONS);
  index.addAll(guides.flatMap(entriesOf));
  return index;
}

/** The index is made with the first search: few processes are asked, and it takes a while. */
function searchIn(makeIndex: () => MiniSearch<SearchEntry>) {
  let made: MiniSearch<SearchEntry> | undefined;
  const index = () => {
    made ??= makeIndex();
    return made;
  };
  return {
    /** Adds entries that are known only when every route is mounted. */
    add: (entries: readonly SearchEntry[]) => index().addAll(entries),
    /** The best entries for a few words, best first. */
    find(query: string): readonly Found[] {
      const terms = query.split(/\s+/).filter(Boolean).slice(0, MAX_TERMS).join(" ");
      return index().search(terms).slice(0, MAX_RESULTS).map(foundIn);
    },
  };
}

function entriesOf({ url, title, sections }: Guide): SearchEntry[] {
  return sections.map(({ id, heading, text }) => ({
    url: id === "" ? url : `${url}#${id}`,
    title,
    heading,
    text,
  }));
}

function foundIn(result: SearchResult): Found {
  const { id, title, heading, text, terms } = result;
  return { url: id, title, heading, excerpt: excerptOf(text, terms) };
}

function excerptOf(text: string, terms: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, " ");
  const places = terms.map((term) => line.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const match = places.length === 0 ? 0 : Math.min(...places);
  // From the beginning of a word a little before the match.
  const from = match < 60 ? 0 : line.indexOf(" ", match - 60) + 1;
  const isWhole = from + EXCERPT_LENGTH >= line.length;
  // To the end of a word, unless it is longer than the excerpt.
  const wordEnd = isWhole ? -1 : line.lastIndexOf(" ", from + EXCERPT_LENGTH);
  const excerpt = line.slice(from, wordEnd > from ? wordEnd : from + EXCERPT_LENGTH);
  return `${from === 0 ? "" : "… "}${excerpt.trim()}${isWhole ? "" : " …"}`;
}
