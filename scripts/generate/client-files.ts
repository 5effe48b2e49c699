import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { GeneratedFile } from "./generated-file.ts";

// Types and a table of the typed client (kit/client), from the OpenAPI document.

const FOLDER = "kit/client/generated";
const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const JSON_TYPE = "application/json";

/** The used part of a JSON schema. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly maximum?: number;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The used part of the OpenAPI document. */
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly [Method in (typeof METHODS)[number]]?: Operation }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, unknown>>;
  };
}

/** An operation with its place. */
interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** How the pages of a list follow each other, see `kit/client/pages.ts`. */
interface Pages {
  /** The member of the answer that holds the entries. */
  readonly items: string;
  /** The query parameter with the cursor; absent when the answer is the whole list. */
  readonly cursor?: string;
  /** The query parameter with the number of the first page or entry, where there is one. */
  readonly start?: string;
  /** The query parameter with the size of a page, and its largest value. */
  readonly limit?: string;
  readonly most?: number;
}

/** The files that the typed client takes from the OpenAPI document. */
export async function clientFiles(openApi: unknown): Promise<GeneratedFile[]> {
  const document = openApi as Document;
  return [
    { path: `${FOLDER}/schema.ts`, content: await schemaModule(document) },
    { path: `${FOLDER}/operations.ts`, content: operationsModule(document) },
  ];
}

/**
 * The types of all operations by their id. The same types by path, answers of errors, which all
 * have one form, and headers are left out: they would make the file five times as long.
 */
async function schemaModule(document: Document): Promise<string> {
  const successes = onlySuccesses(document) as unknown as OpenAPI3;
  const nodes = await openapiTypescript(successes, {
    immutable: true,
    emptyObjectsUnknown: true,
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
  });
  const text = astToString(nodes);
  const [components, operations] = ["components", "operations"].map((name) =>
    interfaceOf(text, name),
  );
  const header = "// Written by `npm run generate` from the OpenAPI document: types only.\n";
  return [header, components, operations].join("\n");
}

/** The text of one exported interface. Its closing brace is the first one in column 0. */
function interfaceOf(text: string, name: string): string {
  const start = text.indexOf(`export interface ${name} {`);
  const end = text.indexOf("\n}\n", start);
  if (start < 0 || end < 0) throw new Error(`The generated types have no interface ${name}.`);
  return text.slice(start, end + 3);
}

function onlySuccesses(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, withoutErrors(operation)]),
      ),
    ]),
  );
  const { webhooks: _webhooks, ...rest } = document as Document & { webhooks?: unknown };
  // The shared responses are those of errors.
  return { ...rest, paths, components: { ...document.components, responses: {} } };
}

function withoutErrors(operation: Operation): Operation {
  const responses = Object.entries(operation.responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { content }]) => [
      status,
      content === undefined
        ? { description: "" }
        : { description: "", content: withoutExamples(content) },
    ]);
  const succeeding = { ...operation, responses: Object.fromEntries(responses) };
  const { requestBody } = operation;
  if (requestBody === undefined) return succeeding;
  const content = withoutExamples(requestBody.content);
  return { ...succeeding, requestBody: { ...requestBody, content } };
}

/** Whole requests and answers would be repeated in comments of the types. */
function withoutExamples(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      schema === undefined ? {} : { schema },
    ]),
  );
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** What the client has to know of each operation while it runs. */
function operationsModule(document: Document): string {
  const rows = placed(document)
    // A stream has no end to wait for: clients read it with an EventSource.
    .filter(({ operation }) => answerContent(operation)?.["text/event-stream"] === undefined)
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
    .map((one) => `  ${one.operation.operationId}: ${rowText(one, document)},`);
  const header =
    "// Written by `npm run generate` from the OpenAPI document: what the client has to know of each operation.\n";
  return [header, "export const OPERATIONS = {", ...rows, "} as const;", ""].join("\n");
}

function placed({ paths }: Document): Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }];
    }),
  );
}

function rowText({ method, path, operation }: Placed, document: Document): string {
  const parameters = (operation.parameters ?? []).map((one) => parameterOf(one, document));
  const keyed = parameters.some(({ name }) => name.toLowerCase() === "idempotency-key");
  const types = Object.keys(answerContent(operation) ?? {});
  const binary = types.length > 0 && !types.some((type) => type.includes("json"));
  const accept = types.includes(JSON_TYPE) ? undefined : types[0];
  const form = operation.requestBody?.content["multipart/form-data"] !== undefined;
  const bytes = operation.requestBody?.content["application/octet-stream"] !== undefined;
  const members = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    ...(keyed ? ["keyed: true"] : []),
    ...(form ? ['body: "form"'] : bytes ? ['body: "bytes"'] : []),
    ...(accept === undefined ? [] : [`accept: ${JSON.stringify(accept)}`]),
    ...(binary ? ["binary: true"] : []),
    ...pagesText(pagesOf({ method, operation, parameters }, document)),
  ];
  return `{ ${members.join(", ")} }`;
}

function parameterOf(parameter: Parameter, { components }: Document): Parameter {
  if (parameter.$ref === undefined) return parameter;
  const named = components.parameters?.[nameIn(parameter.$ref)];
  if (named === undefined) throw new Error(`There is no parameter ${parameter.$ref}.`);
  return named;
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function answerContent({ responses }: Operation): Content | undefined {
  const status = Object.keys(responses).filter(isSuccess).sort()[0];
  return status === undefined ? undefined : responses[status]?.content;
}

/**
 * Lists are reads with a position among their parameters, and reads whose id begins with "list".
 * A list that is read in parts must have a cursor.
 */
function pagesOf(
  {
    method,
    operation,
    parameters,
  }: {
    readonly method: string;
    readonly operation: Operation;
    readonly parameters: readonly Parameter[];
  },
  document: Document,
): Pages | null {
  if (method !== "GET") return null;
  const query = parameters.filter((parameter) => parameter.in === "query");
  const find = (pattern: RegExp) => query.find(({ name }) => pattern.test(name));
  const answer = propertiesOf(answerContent(operation)?.[JSON_TYPE]?.schema ?? {}, document);
  const cursor = answer.nextCursor === undefined ? undefined : find(/^(?:cursor|before)$|Cursor$/);
  const start = find(/^page$|^offset$|Offset$/);
  if (cursor === undefined && start === undefined && !operation.operationId.startsWith("list")) {
    return null;
  }

  const arrays = Object.keys(answer).filter((name) => isArray(answer[name] ?? {}, document));
  const [items] = arrays;
  if (items === undefined || arrays.length !== 1) {
    throw new Error(
      `${operation.operationId} is a list. Its answer must have one array, and has ${arrays.length}.`,
    );
  }
  const limit = find(/^limit$|Limit$/);
  if (cursor === undefined && start === undefined && limit === undefined) return { items };
  const most = schemaOf(limit?.schema ?? {}, document).maximum;
  if (cursor === undefined || limit === undefined || most === undefined) {
    throw new Error(`${operation.operationId} needs a cursor and a limit with a maximum.`);
  }
  const counted = start === undefined ? {} : { start: start.name };
  return { items, cursor: cursor.name, ...counted, limit: limit.name, most };
}

function schemaOf(schema: Schema, { components }: Document): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {});
}

function isArray(schema: Schema, document: Document): boolean {
  const { type } = schemaOf(schema, document);
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}

function propertiesOf(schema: Schema, document: Document): Readonly<Record<string, Schema>> {
  const { properties, allOf = [] } = schemaOf(schema, document);
  return Object.assign({}, properties, ...allOf.map((part) => propertiesOf(part, document)));
}

function pagesText(pages: Pages | null): string[] {
  if (pages === null) return [];
  const members = Object.entries(pages).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [`pages: { ${members.join(", ")} }`];
}
