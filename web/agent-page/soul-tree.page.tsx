import { FIELDS, type Field } from "../../protocol/index.ts";
import type { LeafState } from "../../protocol/soul-tree-drawing.ts";
import { Badge, DescriptionItem, DescriptionList } from "../ui/components.tsx";
import { TreeLegend, TreePicture } from "../ui/soul-tree.tsx";
import { fieldInWords } from "../ui/text.ts";
import { JsonValue } from "../ui/values.tsx";

/** The twelve leaves of a soul: public ones with their values, and the others closed. */
export function SoulTree({
  publicFields,
  proof,
}: {
  /** Values that were checked against the seal, by field. */
  publicFields: Readonly<Record<string, { readonly value: unknown }>>;
  /** The page on which a visitor checks them; null while the soul is not valid, when nothing counts as proven. */
  proof: string | null;
}) {
  const isPublic = (field: Field) => Object.hasOwn(publicFields, field);
  const open: LeafState = proof === null ? "opened" : "shown";
  const closed = FIELDS.filter((field) => !isPublic(field));
  const shown = FIELDS.filter(isPublic);
  return (
    <>
      <TreePicture stateOf={(field) => (isPublic(field) ? open : "closed")} />
      <TreeLegend
        words={{
          [open]: proof === null ? "public" : "public, and proven up to the root",
          closed: "closed: only its hash is known",
        }}
      />
      {shown.length === 0 ? (
        <p class="muted">No field of the soul is public.</p>
      ) : (
        <DescriptionList>
          {shown.map((field) => (
            <DescriptionItem name={`${numberOf(field)}. ${fieldInWords(field)}`}>
              <JsonValue value={publicFields[field]?.value} />{" "}
              {proof === null ? null : (
                <Badge tone="good" href={proof}>
                  proven
                </Badge>
              )}
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
      {closed.length === 0 ? null : (
        <p class="muted">
          Closed: {closed.map((field) => `${numberOf(field)}. ${fieldInWords(field)}`).join(", ")}.
        </p>
      )}
    </>
  );
}

function numberOf(field: Field): number {
  return FIELDS.indexOf(field) + 1;
}
