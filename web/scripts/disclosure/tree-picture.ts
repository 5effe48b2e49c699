import type { Field } from "../../../protocol/index.ts";
import {
  type LeafState,
  leafShape,
  TREE_BOX,
  type TreeShape,
  treeShapes,
} from "../../../protocol/soul-tree-drawing.ts";

const SVG = "http://www.w3.org/2000/svg";

/** The field tree, as it would be after an answer. */
export function treePicture(stateOf: (field: Field) => LeafState): SVGSVGElement {
  const picture = svg("svg", {
    class: "tree",
    viewBox: TREE_BOX,
    role: "img",
    "aria-label": "The tree of the twelve fields. The list below says the same in words.",
  });
  picture.append(...treeShapes(stateOf).map(drawn));
  return picture;
}

/** How the three states look, with their names. */
export function treeLegend(): HTMLElement {
  const list = document.createElement("ul");
  list.className = "tree-legend";
  for (const [state, words] of Object.entries(STATES) as [LeafState, string][]) {
    const item = document.createElement("li");
    const sample = svg("svg", { class: "tree", viewBox: "0 0 32 32", "aria-hidden": "true" });
    sample.append(drawn(leafShape(state, 16, 16)));
    item.append(sample, words);
    list.append(item);
  }
  return list;
}

const STATES: Readonly<Record<LeafState, string>> = {
  shown: "shown by your answer",
  opened: "public, says the service",
  closed: "stays closed",
};

function drawn({ tag, attributes, text }: TreeShape): SVGElement {
  const element = svg(tag, attributes);
  if (text !== null) element.textContent = text;
  return element;
}

function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
