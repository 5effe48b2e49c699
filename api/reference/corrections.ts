import type { OpenApiDocument } from "./openapi.ts";
import type { DocumentSchema } from "./schema-walk.ts";

/** Repairs of what the generator writes differently from OpenAPI 3.1 and JSON Schema. */
export function correctSchemas(document: OpenApiDocument): void {
  visitObjects(document, (node) => {
    simplifyReference(node);
    dropPatternFlags(node);
    separateUnmappedVariants(node, document);
  });
}

function visitObjects(node: unknown, visit: (node: DocumentSchema) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node);
  for (const child of Object.values(node)) visitObjects(child, visit);
}

/**
 * Writes `allOf` of a reference and its description as the reference with a description beside it.
 * Where the second part allows null, null would have to match the reference too, and never could.
 */
function simplifyReference(node: DocumentSchema): void {
  const { allOf, ...others } = node;
  if (!Array.isArray(allOf) || allOf.length !== 2) return;
  const [reference, annotation] = allOf;
  const $ref = reference?.$ref;
  if ($ref === undefined || annotation === undefined) return;
  const isAnnotation = Object.keys(annotation).every((key) => ANNOTATIONS.has(key));
  if (!isAnnotation) return;
  const isNullable = Array.isArray(annotation.type);
  const { type: _type, ...described } = annotation;
  delete node.allOf;
  Object.assign(node, isNullable ? { anyOf: [{ $ref }, { type: "null" }] } : { $ref });
  Object.assign(node, described, others);
}

const ANNOTATIONS: ReadonlySet<string> = new Set(["type", "description", "deprecated"]);

/** JSON Schema's patterns are Unicode ones without a flag; the generator leaves it at the end. */
function dropPatternFlags(node: DocumentSchema): void {
  if (typeof node.pattern === "string") node.pattern = node.pattern.replace(/\/u$/, "");
}

/**
 * A discriminator must be required in every variant. The variants that have none of its values are
 * recognized by its absence: they stand beside the discriminated ones, without the property.
 */
function separateUnmappedVariants(node: DocumentSchema, document: OpenApiDocument): void {
  const { oneOf, discriminator } = node;
  if (!Array.isArray(oneOf) || discriminator?.mapping === undefined) return;
  const mapped = new Set(Object.values(discriminator.mapping));
  const variants = oneOf.filter(({ $ref }) => $ref !== undefined && mapped.has($ref));
  const unmapped = oneOf.filter((variant) => !variants.includes(variant));
  if (unmapped.length === 0) return;
  for (const { $ref } of unmapped) {
    const schema = document.components?.schemas?.[$ref?.split("/").at(-1) ?? ""];
    delete schema?.properties?.[discriminator.propertyName];
  }
  delete node.discriminator;
  node.oneOf = [...unmapped, { oneOf: variants, discriminator }];
}
