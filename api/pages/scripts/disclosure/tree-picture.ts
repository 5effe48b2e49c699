import { FIELDS, type Field } from "../../../../protocol/index.ts";

/** What becomes of a leaf: shown before, shown by this answer, or not shown. */
export type LeafState = "opened" | "shown" | "closed";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, LEAVES, GAP] = [640, 16, 40] as const;
/** From the leaves to the root. */
const ROWS = [222, 172, 122, 72, 22] as const;

/**
 * The field tree: twelve numbered leaves and four empty ones, up to the root. Shapes differ with
 * the state, so that no reader needs the colours. A list beside it says the same in words.
 */
export function treePicture(stateOf: (field: Field) => LeafState): SVGSVGElement {
  const picture = svg("svg", {
    class: "tree",
    viewBox: `0 0 ${WIDTH} 248`,
    role: "img",
    "aria-label": "The tree of the twelve fields. The list below says the same in words.",
  });
  const isShown = (index: number) => {
    const field = FIELDS[index];
    return field !== undefined && stateOf(field) === "shown";
  };
  /** Whether a node lies on the way from a shown leaf to the root. */
  const isOnWay = (height: number, index: number) =>
    Array.from({ length: 2 ** height }, (_, leaf) => index * 2 ** height + leaf).some(isShown);

  for (let height = 0; height < ROWS.length - 1; height += 1) {
    for (let index = 0; index < LEAVES >> height; index += 1) {
      const [from, to] = [place(height, index), place(height + 1, index >> 1)];
      const way = isOnWay(height, index) ? "way" : "";
      picture.append(svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: way }));
    }
  }
  for (let height = 1; height < ROWS.length; height += 1) {
    for (let index = 0; index < LEAVES >> height; index += 1) {
      const { x, y } = place(height, index);
      const isRoot = height === ROWS.length - 1;
      const kind = isOnWay(height, index) ? "node way" : "node";
      picture.append(svg("circle", { cx: x, cy: y, r: isRoot ? 12 : 8, class: kind }));
    }
  }
  for (let index = 0; index < LEAVES; index += 1) picture.append(...leaf(index, stateOf));
  return picture;
}

/** How the three states look, with their names. */
export function treeLegend(): HTMLElement {
  const list = document.createElement("ul");
  list.className = "tree-legend";
  for (const [state, words] of Object.entries(STATES) as [LeafState, string][]) {
    const item = document.createElement("li");
    const sample = svg("svg", { class: "tree", viewBox: "0 0 32 32", "aria-hidden": "true" });
    sample.append(shape(state, 16, 16));
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

function leaf(index: number, stateOf: (field: Field) => LeafState): SVGElement[] {
  const { x, y } = place(0, index);
  const field = FIELDS[index];
  if (field === undefined) return [svg("circle", { cx: x, cy: y, r: 5, class: "leaf empty" })];
  const state = stateOf(field);
  const number = svg("text", { x, y: y + 7, class: `leaf-number ${state}` });
  number.textContent = String(index + 1);
  return [shape(state, x, y), number];
}

function shape(state: LeafState, x: number, y: number): SVGElement {
  const kind = `leaf ${state}`;
  if (state === "shown") {
    return svg("rect", { x: x - 15, y: y - 15, width: 30, height: 30, rx: 4, class: kind });
  }
  if (state === "opened") {
    const points = `${x},${y - 17} ${x + 17},${y} ${x},${y + 17} ${x - 17},${y}`;
    return svg("polygon", { points, class: kind });
  }
  return svg("circle", { cx: x, cy: y, r: 15, class: kind });
}

function place(height: number, index: number): { readonly x: number; readonly y: number } {
  const step = GAP * 2 ** height;
  return { x: step * index + step / 2, y: ROWS[height] ?? 0 };
}

function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
