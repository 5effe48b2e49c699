import { visitDocument } from "../../api/reference/describe.ts";
import {
  type OpenApiContent,
  type OpenApiDocument,
  type OpenApiOperation,
  operationsOf,
  type PlacedOperation,
} from "../../api/reference/openapi.ts";
import { isNullable } from "../../api/reference/schema-walk.ts";

/**
 * What the OpenAPI document does not say: sentences, empty when nothing is missing. Linters check
 * its form; this holds that a reader learns what each part means.
 */
export function documentProblems(document: OpenApiDocument): string[] {
  const problems = new Set<string>();
  visitDocument(document, ({ owner, parent, name, schema }) => {
    const place = `${owner}${parent === "" ? "" : ` (in ${parent})`}: ${name}`;
    if (schema.description === undefined) {
      problems.add(`${place} has no description.`);
    } else if (isNullable(schema) && !/\bnull\b/i.test(schema.description)) {
      problems.add(`${place} can be null, and its description does not say what null means.`);
    }
  });
  for (const { name, description } of tagsOf(document)) {
    if (description === undefined) problems.add(`The tag ${name} has no description.`);
  }
  for (const placed of operationsOf(document)) {
    for (const problem of operationProblems(placed)) problems.add(`${placed.id} ${problem}`);
  }
  return [...problems];
}

function tagsOf(document: OpenApiDocument) {
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  return [...used].map((name) => ({ name, description: described.get(name) }));
}

function operationProblems({ id, operation }: PlacedOperation): string[] {
  const { responses, parameters = [], summary } = operation;
  const undescribed = parameters.filter(({ description }) => description === undefined);
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const problems = undescribed.map(({ name }) => `has no description of its parameter ${name}.`);
  for (const [status, { headers }] of answers) {
    if (headers?.["X-Request-Id"] !== undefined) continue;
    problems.push(`declares no headers of its answer ${status}.`);
  }
  if (summary === undefined) problems.push("has no summary.");
  return [...problems, ...exampleProblems(id.replace(/Legacy\d*$/, ""), operation)];
}

function exampleProblems(id: string, { requestBody, responses }: OpenApiOperation): string[] {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const problems: string[] = [];
  const requests = Object.values(requestBody?.content ?? {});
  if (requests.length > 0 && !requests.some(({ example }) => example !== undefined)) {
    problems.push("has no example of a request.");
  }
  if (!answers.some(([, { content }]) => hasExample(content)) && !NOT_RECORDED.has(id)) {
    problems.push("has no example of an answer.");
  }
  return problems;
}

/** Its answer is the document that the examples are in, or has no end. */
const NOT_RECORDED: ReadonlySet<string> = new Set(["getOpenApiDocument", "followEvents"]);

/** Contents that are not JSON are described by their media type alone. */
function hasExample(content: Readonly<Record<string, OpenApiContent>> | undefined): boolean {
  const shown = Object.entries(content ?? {}).filter(([type]) => !BINARY.has(type));
  return shown.length === 0 || shown.some(([, { example }]) => example !== undefined);
}

const BINARY: ReadonlySet<string> = new Set(["application/octet-stream", "*/*"]);
