import type { Child } from "hono/jsx";
import type { Field } from "../../protocol/fields.ts";
import {
  type LeafState,
  leafShape,
  TREE_BOX,
  type TreeShape,
  treeShapes,
} from "../../protocol/soul-tree-drawing.ts";

/** The field tree of a soul. */
export function TreePicture({
  stateOf,
  label,
}: {
  stateOf: (field: Field) => LeafState;
  /** What it shows. Default: nothing that the text beside it leaves out. */
  label?: string;
}) {
  const shapes = treeShapes(stateOf).map((shape) => <Shape shape={shape} />);
  const picture = { class: "tree", viewBox: TREE_BOX };
  return label === undefined ? (
    <svg {...picture} aria-hidden="true">
      {shapes}
    </svg>
  ) : (
    <svg {...picture} role="img" aria-label={label}>
      {shapes}
    </svg>
  );
}

/** How the states of leaves look, in words. */
export function TreeLegend({ words }: { words: Readonly<Partial<Record<LeafState, Child>>> }) {
  return (
    <ul class="tree-legend">
      {(Object.entries(words) as [LeafState, Child][]).map(([state, text]) => (
        <li>
          <svg class="tree" viewBox="0 0 32 32" aria-hidden="true">
            <Shape shape={leafShape(state, 16, 16)} />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

function Shape({ shape: { tag: Tag, attributes, text } }: { shape: TreeShape }) {
  return <Tag {...attributes}>{text}</Tag>;
}
