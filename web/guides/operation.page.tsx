import { Code } from "../ui/components.tsx";
import {
  examplesOf,
  type MediaType,
  type OpenApi,
  type ReferencedOperation,
} from "./openapi-groups.ts";
import { Samples, TryIt } from "./samples.page.tsx";
import { SchemaFields } from "./schema-fields.page.tsx";

/** One operation: who may call it, what it takes and answers, with examples, and its errors. */
export function Operation({
  document,
  operation,
  origin,
}: {
  document: OpenApi;
  operation: ReferencedOperation;
  /** Of this deployment, which the samples call. */
  origin: string;
}) {
  const { operationId, method, path, summary, description, requestBody } = operation;
  const answers = Object.entries(operation.responses);
  const access = operation["x-svc-access"] ?? "";
  return (
    <section class="card operation" id={operationId} aria-labelledby={`${operationId}-title`}>
      <h2 id={`${operationId}-title`}>
        <a class="heading-link" href={`#${operationId}`}>
          <span class="method">{method.toUpperCase()}</span> <Code>{path}</Code>
        </a>
      </h2>
      {summary === undefined ? null : <p class="operation-summary">{summary}</p>}
      {description === undefined ? null : <Prose text={description} />}
      <p class="muted">Who may call it: {ACCESS[access] ?? access}.</p>
      <Samples operation={operation} origin={origin} />
      <TryIt operation={operation} />
      <Parameters parameters={operation.parameters ?? []} />
      {Object.entries(requestBody?.content ?? {}).map(([type, media]) => (
        <>
          <h3>
            Body <span class="muted">{type}</span>
          </h3>
          <Media document={document} media={media} />
        </>
      ))}
      {answers
        .filter(([status]) => !isError(status))
        .map(([status, { description: about, content }]) => (
          <>
            <h3>
              {status} <span class="muted">{about.replaceAll("`", "")}</span>
            </h3>
            {Object.values(content ?? {}).map((media) => (
              <Media document={document} media={media} />
            ))}
          </>
        ))}
      <Errors answers={answers.filter(([status]) => isError(status))} />
    </section>
  );
}

function Parameters({
  parameters,
}: {
  parameters: NonNullable<ReferencedOperation["parameters"]>;
}) {
  if (parameters.length === 0) return null;
  return (
    <>
      <h3>Parameters</h3>
      <dl class="schema">
        {parameters.map(({ name, in: place, required, description, schema }) => (
          <div>
            <dt>
              <Code>{name}</Code>{" "}
              <span class="muted">
                {place}
                {required ? ", required" : ""}
              </span>
            </dt>
            <dd>{(description ?? schema?.description ?? "").replaceAll("`", "")}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A body: an example first, and what every member means. */
function Media({ document, media }: { document: OpenApi; media: MediaType }) {
  return (
    <>
      {examplesOf(media).map((example) => (
        <pre tabindex={0}>
          <code>{example}</code>
        </pre>
      ))}
      <SchemaFields document={document} schema={media.schema} />
    </>
  );
}

function Errors({ answers }: { answers: readonly (readonly [string, { description: string }])[] }) {
  if (answers.length === 0) return null;
  return (
    <details class="fold">
      <summary>Errors</summary>
      <dl class="schema errors">
        {answers.map(([status, { description }]) => (
          <div>
            <dt>
              <Code>{status}</Code>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
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
export function Prose({ text }: { text: string }) {
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
