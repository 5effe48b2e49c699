import type { SearchEntry } from "./search.ts";

/** As much of OpenAPI 3.1 as the reference shows. */
export interface OpenApi {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly "x-svc-access"?: string;
  readonly "x-svc-idempotent"?: boolean;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: JsonSchema;
    /** Of the recorded request. */
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value?: unknown }>
  >;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly example?: unknown;
}

export interface ReferencedOperation extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
}

const SCHEMA_REFERENCE = "#/components/schemas/";

/** Operations of one tag, which share a page. */
export interface OperationGroup {
  readonly tag: string;
  readonly description: string | undefined;
  readonly url: string;
  readonly operations: readonly ReferencedOperation[];
}

/**
 * The operations in groups, in the document's order. Former paths are left out: who still uses
 * them knows them.
 */
export function operationGroups(document: OpenApi): readonly OperationGroup[] {
  const groups = new Map<string, ReferencedOperation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.deprecated) continue;
      const tag = operation.tags?.[0] ?? "Service";
      const group = groups.get(tag) ?? [];
      const responses = answersOf(document, operation);
      group.push({ ...operation, responses, method, path });
      groups.set(tag, group);
    }
  }
  return [...groups].map(([tag, operations]) => ({
    tag,
    description: document.tags?.find(({ name }) => name === tag)?.description,
    url: `/docs/api/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    operations,
  }));
}

/** The answers of an operation, with those that it shares with others. */
function answersOf({ components }: OpenApi, { responses }: OpenApiOperation) {
  const entries = Object.entries(responses).map(([status, answer]) => {
    const name = answer.$ref?.split("/").at(-1);
    const shared = name === undefined ? answer : components.responses?.[name];
    if (shared === undefined) throw new Error(`The document has no response ${name}.`);
    return [status, shared] as const;
  });
  return Object.fromEntries(entries);
}

/** The operations as the search finds them. */
export function searchEntries(document: OpenApi): readonly SearchEntry[] {
  return operationGroups(document).flatMap(({ tag, url, operations }) =>
    operations.map(({ operationId, method, path, summary, description }) => ({
      url: `${url}#${operationId}`,
      title: `API, ${tag}`,
      heading: `${method.toUpperCase()} ${path}`,
      text: [summary, description, operationId].filter(Boolean).join("\n"),
    })),
  );
}

/** A body's examples, as JSON to show. */
export function examplesOf({ example, examples }: MediaType): readonly string[] {
  const named = Object.values(examples ?? {}).map(({ value }) => value);
  return [example, ...named]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value, null, 2));
}

/** What a reference points at; anything else is itself. */
export function resolved(document: OpenApi, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.startsWith(SCHEMA_REFERENCE)
    ? schema.$ref.slice(SCHEMA_REFERENCE.length)
    : null;
  if (name === null) return schema;
  const found = document.components.schemas?.[name];
  if (found === undefined) throw new Error(`The document has no schema ${name}.`);
  return found;
}
