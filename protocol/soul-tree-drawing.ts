import { FIELDS, type Field } from "./fields.ts";

// The picture of a soul's tree: twelve numbered leaves and four empty ones, up to the root. Pages draw it on the server
// and in the browser from the same shapes.

/** What becomes of a leaf: its value is public, shown and proven up to the root, or not shown. */
export type LeafState = "opened" | "shown" | "closed";

/** An SVG element, styled by its class alone. */
export interface TreeShape {
  readonly tag: "line" | "circle" | "rect" | "polygon" | "text";
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Content of a text; null for shapes. */
  readonly text: string | null;
}

const [WIDTH, HEIGHT, LEAVES, GAP] = [640, 248, 16, 40] as const;
/** From the leaves to the root. */
const ROWS = [222, 172, 122, 72, 22] as const;

/** The `viewBox` of the picture. */
export const TREE_BOX = `0 0 ${WIDTH} ${HEIGHT}`;

/**
 * The shapes of the tree in the order in which they are drawn. Shapes differ with the state, so
 * that no reader needs the colours; a list beside the picture says the same in words.
 */
export function treeShapes(stateOf: (field: Field) => LeafState): readonly TreeShape[] {
  const isShown = (index: number) => {
    const field = FIELDS[index];
    return field !== undefined && stateOf(field) === "shown";
  };
  /** Whether a node lies on the way from a shown leaf to the root. */
  const isOnWay = (height: number, index: number) =>
    Array.from({ length: 2 ** height }, (_, leaf) => index * 2 ** height + leaf).some(isShown);

  const shapes: TreeShape[] = [];
  for (let height = 0; height < ROWS.length - 1; height += 1) {
    for (let index = 0; index < LEAVES >> height; index += 1) {
      const [from, to] = [place(height, index), place(height + 1, index >> 1)];
      const way = isOnWay(height, index) ? "way" : "";
      shapes.push(shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: way }));
    }
  }
  for (let height = 1; height < ROWS.length; height += 1) {
    for (let index = 0; index < LEAVES >> height; index += 1) {
      const { x, y } = place(height, index);
      const isRoot = height === ROWS.length - 1;
      const kind = isOnWay(height, index) ? "node way" : "node";
      shapes.push(shape("circle", { cx: x, cy: y, r: isRoot ? 12 : 8, class: kind }));
    }
  }
  for (let index = 0; index < LEAVES; index += 1) shapes.push(...leaf(index, stateOf));
  return shapes;
}

/** A leaf without its number, as in a legend. */
export function leafShape(state: LeafState, x: number, y: number): TreeShape {
  const kind = `leaf ${state}`;
  if (state === "shown") {
    return shape("rect", { x: x - 15, y: y - 15, width: 30, height: 30, rx: 4, class: kind });
  }
  if (state === "opened") {
    const points = `${x},${y - 17} ${x + 17},${y} ${x},${y + 17} ${x - 17},${y}`;
    return shape("polygon", { points, class: kind });
  }
  return shape("circle", { cx: x, cy: y, r: 15, class: kind });
}

function leaf(index: number, stateOf: (field: Field) => LeafState): readonly TreeShape[] {
  const { x, y } = place(0, index);
  const field = FIELDS[index];
  if (field === undefined) return [shape("circle", { cx: x, cy: y, r: 5, class: "leaf empty" })];
  const state = stateOf(field);
  const number = shape("text", { x, y: y + 7, class: `leaf-number ${state}` }, String(index + 1));
  return [leafShape(state, x, y), number];
}

function place(height: number, index: number): { readonly x: number; readonly y: number } {
  const step = GAP * 2 ** height;
  return { x: step * index + step / 2, y: ROWS[height] ?? 0 };
}

function shape(
  tag: TreeShape["tag"],
  attributes: TreeShape["attributes"],
  text: string | null = null,
): TreeShape {
  return { tag, attributes, text };
}
