import { z } from "@hono/zod-openapi";
import { ApiError } from "../../api/kernel/errors.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import { Code } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { pageRoute, sendPage } from "../ui/send.tsx";
import { SearchForm } from "./guides.page.tsx";
import { type OpenApi, type OperationGroup, operationGroups } from "./openapi-groups.ts";
import { Operation, Prose } from "./operation.page.tsx";
import { needsCredential } from "./samples.ts";

const showReferencePage = pageRoute("/docs/api", "showReferencePage", {});

const showReferenceGroupPage = pageRoute(
  "/docs/api/{group}",
  "showReferenceGroupPage",
  { params: z.object({ group: z.string().max(128) }) },
  "NOT_FOUND",
);

/** The API reference, written from the same document that programs read. */
export function referencePageRoutes({ pages }: { readonly pages: PageKit }, openApi: () => object) {
  // Made at the first request, when every route is mounted, and the same from then on.
  let groups: readonly OperationGroup[] | undefined;
  const groupPages = new Map<string, Page>();
  return createRouter(operations)
    .openapi(showReferencePage, (c) => {
      const document = openApi() as OpenApi;
      groups ??= operationGroups(document);
      return sendPage(c, pages, overviewPage(document, groups));
    })
    .openapi(showReferenceGroupPage, (c) => {
      const document = openApi() as OpenApi;
      groups ??= operationGroups(document);
      const group = groups.find(({ url }) => url === `/docs/api/${c.req.valid("param").group}`);
      if (group === undefined) throw new ApiError("NOT_FOUND");
      const page = groupPages.get(group.url) ?? groupPage(document, group, pages.origin);
      groupPages.set(group.url, page);
      return sendPage(c, pages, page);
    });
}

function overviewPage({ info }: OpenApi, groups: readonly OperationGroup[]): Page {
  return {
    title: "API",
    description: "Every operation of the sign-in service and the protocol API.",
    width: "overview",
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">
            <a href="/docs">All documents</a>
          </p>
          <h1>API</h1>
          <Prose text={info.description} />
          <p>
            Programs read <a href="/v1/openapi.json">the same as an OpenAPI 3.1 document</a>,
            version {info.version}.
          </p>
        </div>
        <SearchForm />
        {groups.map(({ tag, url, description, operations: listed }) => (
          <section class="card">
            <h2>
              <a class="heading-link" href={url}>
                {tag}
              </a>
            </h2>
            {description === undefined ? null : <Prose text={description} />}
            <ul class="operation-list">
              {listed.map(({ operationId, method, path, summary }) => (
                <li>
                  <a href={`${url}#${operationId}`}>
                    <span class="method">{method.toUpperCase()}</span> <Code>{path}</Code>
                  </a>
                  <span class="operation-summary">{summary}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    ),
  };
}

function groupPage(
  document: OpenApi,
  { tag, description, operations: listed }: OperationGroup,
  origin: string,
): Page {
  const reads = listed.filter(({ method }) => method === "get");
  return {
    title: `API: ${tag}`,
    description: `${tag}: parameters, bodies, answers, examples and errors of each operation.`,
    width: "overview",
    script: reads.length === 0 ? undefined : "reference",
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">
            <a href="/docs/api">API</a>
          </p>
          <h1>{tag}</h1>
          {description === undefined ? null : <Prose text={description} />}
        </div>
        {reads.some(needsCredential) ? <div id="reference-key" /> : null}
        <nav aria-label="Operations">
          <ul class="toc">
            {listed.map(({ operationId, method, path }) => (
              <li>
                <a href={`#${operationId}`}>
                  {method.toUpperCase()} <Code>{path}</Code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {listed.map((operation) => (
          <Operation document={document} operation={operation} origin={origin} />
        ))}
      </div>
    ),
  };
}
