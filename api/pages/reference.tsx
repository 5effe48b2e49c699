import { createRoute } from "@hono/zod-openapi";
import { createRouter } from "../platform/http/router.ts";
import { Badge, Card, Code } from "./components.tsx";
import type { PageKit } from "./kit.ts";
import type { Page } from "./layout.tsx";
import { operations } from "./operation-rules.ts";
import { type OpenApi, operationsByTag, type ReferencedOperation } from "./reference-document.ts";
import { SchemaFields } from "./reference-schema.tsx";
import { sendPage } from "./send.tsx";

export interface ReferencePageDeps {
  readonly pages: PageKit;
}

const showReferencePage = createRoute({
  method: "get",
  path: "/docs",
  operationId: "showReferencePage",
  responses: { 200: { description: "The page." } },
});

/** The API reference, written from the same document that programs read. */
export function referencePageRoutes({ pages }: ReferencePageDeps, openApi: () => object) {
  // Made at the first request, when every route is mounted, and the same from then on.
  let page: Page | undefined;
  return createRouter(operations).openapi(showReferencePage, (c) => {
    page ??= referencePage(openApi() as OpenApi);
    return sendPage(c, pages, page);
  });
}

function referencePage(document: OpenApi): Page {
  const groups = operationsByTag(document);
  return {
    title: "API",
    description: "Every operation of the sign-in service and the protocol API.",
    width: "overview",
    body: (
      <div class="stack">
        <div>
          <h1>API</h1>
          <p class="lead">{document.info.description.replaceAll("`", "")}</p>
          <p>
            Programs read <a href="/v1/openapi.json">the same as an OpenAPI 3.1 document</a>,
            version {document.info.version}.
          </p>
        </div>
        <nav aria-label="Groups of operations">
          <ul class="toc">
            {groups.map(({ tag }) => (
              <li>
                <a href={`#${anchorOf(tag)}-title`}>{tag}</a>
              </li>
            ))}
          </ul>
        </nav>
        {groups.map(({ tag, operations }) => (
          <Card id={anchorOf(tag)} title={tag}>
            {operations.map((operation) => (
              <Operation document={document} operation={operation} />
            ))}
          </Card>
        ))}
      </div>
    ),
  };
}

function Operation({ document, operation }: { document: OpenApi; operation: ReferencedOperation }) {
  const { operationId, method, path, summary, description, parameters, requestBody } = operation;
  const body = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(operation.responses);
  return (
    <details class="operation" id={operationId}>
      <summary>
        <span class="method">{method.toUpperCase()}</span> <Code>{path}</Code>
        <span class="operation-summary">{summary}</span>
      </summary>
      <div class="operation-body">
        {operation.deprecated ? (
          <p>
            <Badge tone="caution">Deprecated</Badge>
          </p>
        ) : null}
        {description === undefined ? null : <Prose text={description} />}
        <p class="muted">
          Who may call it: {ACCESS[operation["x-svc-access"] ?? ""] ?? operation["x-svc-access"]}.
        </p>
        {parameters === undefined || parameters.length === 0 ? null : (
          <>
            <h3>Parameters</h3>
            <dl class="schema">
              {parameters.map(({ name, in: place, required, description: about, schema }) => (
                <div>
                  <dt>
                    <Code>{name}</Code>{" "}
                    <span class="muted">
                      {place}
                      {required ? ", required" : ""}
                    </span>
                  </dt>
                  <dd>{about ?? schema?.description ?? ""}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
        {body.map(([type, { schema }]) => (
          <>
            <h3>
              Body <span class="muted">{type}</span>
            </h3>
            <SchemaFields document={document} schema={schema} />
          </>
        ))}
        {answers
          .filter(([status]) => !isError(status))
          .map(([status, { description: about, content }]) => {
            const json = content?.["application/json"]?.schema;
            return (
              <>
                <h3>
                  {status} <span class="muted">{about.replaceAll("`", "")}</span>
                </h3>
                {json === undefined ? null : <SchemaFields document={document} schema={json} />}
              </>
            );
          })}
        <h3>Errors</h3>
        <dl class="schema errors">
          {answers
            .filter(([status]) => isError(status))
            .map(([status, { description: about }]) => (
              <div>
                <dt>
                  <Code>{status}</Code>
                </dt>
                <dd>
                  <Prose text={about} />
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </details>
  );
}

const isError = (status: string): boolean => Number(status) >= 400;

const ACCESS: Readonly<Record<string, string>> = {
  none: "anyone",
  "any-key": "an agent's key, full or provisional, or its owner's session",
  agent: "an agent's full key, or its owner's session",
  session: "the owner's session",
  "provisional-key": "the agent's provisional key, after the claim",
  signature: "any caller with the owner's signature",
  "agent-or-signature":
    "an agent's full key, its owner's session, or any caller with the owner's signature",
};

/** Paragraphs, with what stands between backticks as code. */
function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split("\n\n").map((paragraph) => (
        <p>
          {paragraph
            .split("`")
            .map((part, index) => (index % 2 === 1 ? <Code>{part}</Code> : part))}
        </p>
      ))}
    </>
  );
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
