/** As much of a JSON Schema as the document's completion reads. */
export interface DocumentSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  pattern?: string;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
  additionalProperties?: DocumentSchema | boolean;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  allOf?: DocumentSchema[];
}

/** A property with where it is. */
export interface FoundProperty {
  /** Component, or operation and status, that the schema belongs to. */
  readonly owner: string;
  /** Name of the property that holds it; empty at the top. */
  readonly parent: string;
  readonly name: string;
  readonly schema: DocumentSchema;
}

/** Visits every property of a schema. What a reference names is visited with its component. */
export function visitProperties(
  schema: DocumentSchema | undefined,
  owner: string,
  visit: (property: FoundProperty) => void,
  parent = "",
): void {
  if (schema === undefined || schema.$ref !== undefined) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    visit({ owner, parent, name, schema: property });
    visitProperties(property, owner, visit, name);
  }
  const { additionalProperties } = schema;
  const within = [
    schema.items,
    typeof additionalProperties === "object" ? additionalProperties : undefined,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  for (const part of within) visitProperties(part, owner, visit, parent);
}

/** Whether a value of this schema can be null, beside values that are not. */
export function isNullable(schema: DocumentSchema): boolean {
  if (Array.isArray(schema.type)) return schema.type.includes("null");
  if (schema.allOf?.some(isNullable)) return true;
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(
    (part) => part.type === "null" || isNullable(part),
  );
}
