import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../platform/http/env.ts";
import { openApiDocument } from "../platform/http/openapi.ts";
import { correctSchemas } from "./corrections.ts";
import { describeDocument } from "./describe.ts";
import { addExamples } from "./examples.ts";
import { declareHeaders } from "./headers.ts";
import { type OpenApiDocument, operationsOf, webhooksOf } from "./openapi.ts";
import { shareErrorResponses } from "./shared-responses.ts";
import { TAGS } from "./tags.ts";

/**
 * The document that the service answers and `docs/openapi.json` holds: what the routes declare,
 * completed by what they have in common.
 */
export function apiDocument(app: OpenAPIHono<AppEnv>, publicUrl: URL): OpenApiDocument {
  // A copy: the generator uses one object in several places.
  const generated = JSON.stringify(openApiDocument(app, publicUrl));
  const document = JSON.parse(generated) as OpenApiDocument;
  document.info.license = { name: "MIT", identifier: "MIT" };
  const paths = Object.entries(document.paths ?? {});
  document.paths = sorted(
    Object.fromEntries(paths.map(([path, methods]) => [path, sorted(methods)])),
  );
  if (document.components?.schemas)
    document.components.schemas = sorted(document.components.schemas);
  correctSchemas(document);
  describeDocument(document);
  describeTags(document);
  declareOpenAccess(document);
  namePresentPaths(document);
  declareHeaders(document);
  addExamples(document);
  shareErrorResponses(document);
  return document;
}

/** By name: where a route stands in the code shows nowhere. */
function sorted<Member>(members: Readonly<Record<string, Member>>): Record<string, Member> {
  return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function describeTags(document: OpenApiDocument): void {
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  document.tags = Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

/** An empty list says that no credential is read; without the list it would not be said. */
function declareOpenAccess(document: OpenApiDocument): void {
  const all = [...operationsOf(document), ...webhooksOf(document)];
  for (const { operation } of all) operation.security ??= [];
}

/** Says of each former path which one replaces it. */
function namePresentPaths(document: OpenApiDocument): void {
  const operations = operationsOf(document);
  for (const { id, operation } of operations) {
    if (operation.deprecated !== true) continue;
    const current = operations.find((other) => other.id === id.replace(/Legacy\d*$/, ""));
    if (current === undefined) throw new Error(`${id} replaces no operation.`);
    const present = `\`${current.method.toUpperCase()} ${current.path}\``;
    operation.description = `Former path of ${present}, which takes and answers the same.`;
  }
}
