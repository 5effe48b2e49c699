import {
  type OpenApiDocument,
  type OpenApiOperation,
  operationsOf,
  webhooksOf,
} from "./openapi.ts";
import { accessTexts } from "./properties/access.ts";
import { disclosureTexts } from "./properties/disclosure.ts";
import { eventTexts } from "./properties/events.ts";
import { identityTexts } from "./properties/identity.ts";
import { nullTexts } from "./properties/null-texts.ts";
import { parameterTexts } from "./properties/parameters.ts";
import type { PropertyTexts } from "./properties/property-texts.ts";
import { recordTexts } from "./properties/records.ts";
import { soulTexts } from "./properties/souls.ts";
import {
  type DocumentSchema,
  type FoundProperty,
  isNullable,
  visitProperties,
} from "./schema-walk.ts";

const TEXTS = [eventTexts, identityTexts, soulTexts, recordTexts, accessTexts, disclosureTexts];

/** Gives a description to every property and parameter that has none of its own. */
export function describeDocument(document: OpenApiDocument): void {
  visitDocument(document, describeProperty);
  for (const { id, operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      parameter.description ??=
        parameterTexts[`${currentName(id)}.${parameter.name}`] ??
        parameterTexts[parameter.name] ??
        textOf(TEXTS, id, "", parameter.name);
    }
  }
}

/** Visits the properties of every component, request and answer. */
export function visitDocument(
  document: OpenApiDocument,
  visit: (property: FoundProperty) => void,
): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    visitProperties(schema, name, visit);
  }
  for (const { id, operation } of [...operationsOf(document), ...webhooksOf(document)]) {
    for (const schema of schemasOf(operation)) visitProperties(schema, currentName(id), visit);
  }
}

function schemasOf(operation: OpenApiOperation): DocumentSchema[] {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  return bodies.flatMap((body) =>
    Object.values(body?.content ?? {}).flatMap(({ schema }) => (schema ? [schema] : [])),
  );
}

/** The operation of a former path is described as the current one is. */
function currentName(operationId: string): string {
  return operationId.replace(/Legacy\d*$/, "");
}

function describeProperty({ owner, parent, name, schema }: FoundProperty): void {
  const text = schema.description ?? textOf(TEXTS, owner, parent, name);
  if (text === undefined) return;
  const isExplained = !isNullable(schema) || /\bnull\b/i.test(text);
  const meaning = isExplained ? undefined : textOf([nullTexts], owner, parent, name);
  schema.description = meaning === undefined ? text : `${text} ${meaning}`;
  if (/^Former name of /.test(text)) Object.assign(schema, { deprecated: true });
}

function textOf(
  tables: readonly PropertyTexts[],
  owner: string,
  parent: string,
  name: string,
): string | undefined {
  const within = owner.endsWith("Message") && parent === "" ? "message" : parent;
  for (const key of [`${owner}.${name}`, `${within}.${name}`, name]) {
    for (const table of tables) if (Object.hasOwn(table, key)) return table[key];
  }
  return undefined;
}
