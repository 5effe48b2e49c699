/** The fields of a soul in the order of their leaves; a field's index is its position here. */
export const FIELDS = [
  "identity.name",
  "identity.agent_type",
  "identity.description",
  "soul.purpose",
  "soul.personality",
  "soul.constraints",
  "soul.guidelines",
  "capabilities.skills",
  "capabilities.tools",
  "capabilities.languages",
  "capabilities.models",
  "soul.documents",
] as const;

export type Field = (typeof FIELDS)[number];

/** The fields that a text alone decides. The documents are in the leaf of their own list. */
export const PUBLISHABLE_FIELDS: readonly Field[] = FIELDS.filter(
  (field) => field !== "soul.documents",
);

/** Whether `field` is a field of a soul. */
export function isField(field: unknown): field is Field {
  return (FIELDS as readonly unknown[]).includes(field);
}

/** The leaf index of a field, 0 to 11. */
export function fieldIndex(field: Field): number {
  return FIELDS.indexOf(field);
}
