import { describe, expect, it } from "vitest";
import { FIELDS, type Field } from "../../protocol/index.ts";
import { type LeafState, leafShape, treeShapes } from "../../protocol/soul-tree-drawing.ts";

const classes = (shapes: ReturnType<typeof treeShapes>) =>
  shapes.map(({ attributes }) => String(attributes.class));

describe("the drawing of a soul's tree", () => {
  it("has a numbered leaf for each field, and four empty ones", () => {
    const shapes = treeShapes(() => "closed");
    expect(shapes.flatMap(({ text }) => text ?? [])).toEqual(FIELDS.map((_, n) => String(n + 1)));
    expect(classes(shapes).filter((name) => name === "leaf empty")).toHaveLength(4);
    expect(classes(shapes).filter((name) => name === "node")).toHaveLength(15);
    expect(classes(shapes).filter((name) => /way|shown|opened/.test(name))).toEqual([]);
  });

  it("marks the way from a shown leaf to the root, and none from a public one", () => {
    const states = new Map<Field, LeafState>([
      [FIELDS[0], "shown"],
      [FIELDS[11], "opened"],
    ]);
    const shapes = treeShapes((field) => states.get(field) ?? "closed");
    const ways = shapes.filter(({ attributes }) => attributes.class === "way");
    expect(ways.map(({ attributes: { x1, y1, x2, y2 } }) => [x1, y1, x2, y2])).toEqual([
      [20, 222, 40, 172],
      [40, 172, 80, 122],
      [80, 122, 160, 72],
      [160, 72, 320, 22],
    ]);
    expect(classes(shapes).filter((name) => name === "node way")).toHaveLength(4);
  });

  it("tells the states apart by shape", () => {
    const states = ["closed", "opened", "shown"] as const;
    expect(states.map((state) => leafShape(state, 0, 0).tag)).toEqual([
      "circle",
      "polygon",
      "rect",
    ]);
  });
});
