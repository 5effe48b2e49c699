import { describe, expect, it } from "vitest";
import { app } from "../../api/platform/database/columns.ts";
import { page, publicRead } from "../../api/platform/http/operations.ts";
import { recurring } from "../../api/platform/jobs/rules.ts";
import { featureTable } from "../../scripts/generate/feature-table.ts";
import { MarkedTextError, marks, withGenerated } from "../../scripts/generate/marked-text.ts";

describe("featureTable", () => {
  it("lists folder, operations, pages, tables, jobs and events of each feature in order", () => {
    const birds = {
      name: "birds",
      operations: { getBird: publicRead, showBirdPage: page },
      mounts: [],
      tables: { bird: app.table("bird", {}), helper: () => {} },
      jobs: { "birds.count": recurring(30, 120) },
      events: ["bird.sung"],
    };
    const platform = {
      name: "platform",
      operations: {},
      mounts: [],
      tables: {},
      jobs: {},
      events: [],
    };
    expect(featureTable([platform, birds])).toBe(
      [
        "| folder | operations | pages and their files | tables | jobs | events |",
        "| --- | --- | --- | --- | --- | --- |",
        "| api/platform |  |  |  |  |  |",
        "| api/features/birds | getBird | showBirdPage | bird | birds.count | bird.sung |",
      ].join("\n"),
    );
  });
});

describe("withGenerated", () => {
  const { begin, end } = marks("birds.json");

  it("replaces only what is between the marks", () => {
    expect(withGenerated(`before\n${begin}\nold\n${end}\nafter`, "birds.json", "new")).toBe(
      `before\n${begin}\n\nnew\n\n${end}\nafter`,
    );
  });

  it("refuses a text without the marks in order", () => {
    const refused = new MarkedTextError(
      `The text needs these two lines, in this order:\n${begin}\n${end}`,
    );
    expect(() => withGenerated(`${end}\n${begin}`, "birds.json", "new")).toThrow(refused);
    expect(() => withGenerated("", "birds.json", "new")).toThrow(refused);
  });
});
