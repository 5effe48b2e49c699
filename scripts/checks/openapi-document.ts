import { visitDocument } from "../../api/reference/describe.ts";
import {
  type OpenApiDocument,
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

function operationProblems({ operation }: PlacedOperation): string[] {
  const { responses, parameters = [], summary } = operation;
  const undescribed = parameters.filter(({ description }) => description === undefined);
  const isSuccess = ([status]: readonly [string, unknown]) => status.startsWith("2");
  const answers = Object.entries(responses).filter(isSuccess);
  return [
    ...(summary === undefined ? ["has no summary."] : []),
    ...undescribed.map(({ name }) => `has no description of its parameter ${name}.`),
    ...answers
      .filter(([, { headers }]) => headers?.["X-Request-Id"] === undefined)
      .map(([status]) => `declares no headers of its answer ${status}.`),
  ];
}
