import { z } from "@hono/zod-openapi";
import { raw } from "hono/html";
import { ApiError } from "../../api/kernel/errors.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { pageRoute, sendPage } from "../ui/send.tsx";
import type { Guide, Guides } from "./guides.ts";
import type { Heading } from "./markdown.ts";
import { type OpenApi, searchEntries } from "./openapi-groups.ts";
import type { DocsSearch, Found } from "./search.ts";

const MAX_QUERY_LENGTH = 100;

const showDocsPage = pageRoute("/docs", "showDocsPage", {
  query: z.object({ q: z.string().optional() }),
});

const ofGuide = { params: z.object({ guide: z.string().max(128) }) };
const showGuidePage = pageRoute("/docs/{guide}", "showGuidePage", ofGuide, "NOT_FOUND");
const showTutorialPage = pageRoute(
  "/docs/tutorials/{guide}",
  "showTutorialPage",
  ofGuide,
  "NOT_FOUND",
);
const showDecisionRecordPage = pageRoute(
  "/docs/adr/{guide}",
  "showDecisionRecordPage",
  ofGuide,
  "NOT_FOUND",
);

/** The list of the documents with a search, and one page for each document. */
export function guidePageRoutes(
  {
    pages,
    guides,
    docsSearch,
  }: { readonly pages: PageKit; readonly guides: Guides; readonly docsSearch: DocsSearch },
  openApi: () => object,
) {
  let operationsAdded = false;
  const find = (query: string): readonly Found[] => {
    // At the first search, when every route is mounted.
    if (!operationsAdded) docsSearch.add(searchEntries(openApi() as OpenApi));
    operationsAdded = true;
    return docsSearch.find(query);
  };
  const required = (url: string): Guide => {
    const guide = guides.find(url);
    if (guide === undefined) throw new ApiError("NOT_FOUND");
    return guide;
  };

  return createRouter(operations)
    .openapi(showDocsPage, (c) => {
      const query = (c.req.valid("query").q ?? "").trim().slice(0, MAX_QUERY_LENGTH);
      const page = query === "" ? listPage(required("/docs")) : resultsPage(query, find(query));
      return sendPage(c, pages, page);
    })
    .openapi(showGuidePage, (c) =>
      sendPage(c, pages, guidePage(required(`/docs/${c.req.valid("param").guide}`))),
    )
    .openapi(showTutorialPage, (c) =>
      sendPage(c, pages, guidePage(required(`/docs/tutorials/${c.req.valid("param").guide}`))),
    )
    .openapi(showDecisionRecordPage, (c) =>
      sendPage(c, pages, guidePage(required(`/docs/adr/${c.req.valid("param").guide}`))),
    );
}

/** A form, so that the search needs no script. */
export function SearchForm({ query = "" }: { query?: string }) {
  return (
    <search>
      <form class="search" action="/docs" method="get">
        <label for="docs-search">Search the guides and the API</label>
        <div>
          <input
            class="control"
            id="docs-search"
            type="search"
            name="q"
            value={query}
            maxlength={MAX_QUERY_LENGTH}
            required
          />
          <button class="button" type="submit">
            Search
          </button>
        </div>
      </form>
    </search>
  );
}

function listPage({ title, summary, html }: Guide): Page {
  return {
    title,
    description: summary,
    body: (
      <div class="stack">
        <h1>{title}</h1>
        <SearchForm />
        <p>
          Every operation of the API, with examples to try: <a href="/docs/api">API reference</a>
        </p>
        <article class="guide">{raw(html)}</article>
      </div>
    ),
  };
}

function guidePage({ title, summary, html, contents }: Guide): Page {
  return {
    title,
    description: summary,
    width: "overview",
    body: (
      <div class="guide-page">
        <div class="guide-side">
          <p class="eyebrow">
            <a href="/docs">All documents</a>
          </p>
          <SearchForm />
          {contents.length > 1 ? <Contents contents={contents} /> : null}
        </div>
        <article class="guide">
          <h1>{title}</h1>
          {raw(html)}
        </article>
      </div>
    ),
  };
}

/** The sections of a guide; smaller ones only where that keeps the list short. */
function Contents({ contents }: { contents: readonly Heading[] }) {
  const sections = contents.filter(({ depth }) => depth === 2);
  const listed = sections.length > 1 ? sections : contents;
  return (
    <nav class="contents" aria-labelledby="contents-title">
      <details>
        <summary id="contents-title">On this page</summary>
        <ul class="contents-list">
          {listed.map(({ id, text }) => (
            <li>
              <a class="contents-link" href={`#${id}`}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function resultsPage(query: string, found: readonly Found[]): Page {
  return {
    title: `Search: ${query}`,
    body: (
      <div class="stack">
        <p class="eyebrow">
          <a href="/docs">All documents</a>
        </p>
        <h1>Search</h1>
        <SearchForm query={query} />
        <p role="status">
          {found.length === 0
            ? `No section has all of these words: ${query}. Try fewer or other words.`
            : `${found.length} ${found.length === 1 ? "result" : "results"}, best first.`}
        </p>
        <ol class="results">
          {found.map(({ url, title, heading, excerpt }) => (
            <li>
              <a href={url}>{heading === "" ? title : `${title}: ${heading}`}</a>
              <p class="muted">{excerpt}</p>
            </li>
          ))}
        </ol>
      </div>
    ),
  };
}
