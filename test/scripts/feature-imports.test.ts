import { describe, expect, it } from "vitest";
import { featureImports } from "../../scripts/checks/feature-imports.ts";
import { folderProblems } from "../../scripts/checks/folder-sizes.ts";

const file = (path: string, text: string) => ({ path: `api/features/${path}`, text });

describe("featureImports", () => {
  const index = file(
    "keys/index.ts",
    'export type { Key } from "./keys.ts";\nexport { keyStore } from "./keys.store.ts";',
  );

  it("counts imports and edges between features, and none within a feature", () => {
    expect(
      featureImports([
        index,
        file("keys/keys.ts", 'import { x } from "./x.ts";'),
        file("claims/claims.ts", 'import type { Key } from "../keys/index.ts";'),
        file("claims/claims.store.ts", 'import { keyStore } from "../keys/index.ts";'),
      ]),
    ).toEqual({ problems: [], imports: 2, edges: 1 });
  });

  it("rejects a route that takes a store through an index.ts, and no decision that does", () => {
    const takesStore = 'import { keyStore } from "../keys/index.ts";';
    const takesType = 'import { type keyStore } from "../keys/index.ts";';
    expect(
      featureImports([
        index,
        file("claims/claims.ts", takesStore),
        file("claims/claims.routes.ts", takesStore),
        file("claims/types.routes.ts", takesType),
        file(
          "claims/types.schemas.ts",
          takesType.replace("{ type keyStore }", "type { keyStore }"),
        ),
      ]).problems,
    ).toEqual([
      "api/features/claims/claims.routes.ts is a translator and takes keyStore from the adapter api/features/keys/keys.store.ts.",
    ]);
  });

  it("rejects a decision that takes from a route through an index.ts", () => {
    expect(
      featureImports([
        file("keys/index.ts", 'export { rotate } from "./keys.routes.ts";'),
        file("claims/claims.ts", 'import { rotate } from "../keys/index.ts";'),
      ]).problems,
    ).toEqual([
      "api/features/claims/claims.ts is a decision and takes rotate from the translator api/features/keys/keys.routes.ts.",
    ]);
  });

  it("rejects features that import each other in a circle, type-only imports included", () => {
    const { problems } = featureImports([
      file("a/a.ts", 'import type { B } from "../b/index.ts";'),
      file("b/b.ts", 'import type { C } from "../c/index.ts";'),
      file("c/c.ts", 'import type { A } from "../a/index.ts";'),
      file("d/d.ts", 'import type { E } from "../e/index.ts";'),
    ]);
    expect(problems).toEqual(["Features import each other in a circle: a, b, c."]);
  });
});

describe("folderProblems", () => {
  it("names a folder with more files than the limit, and no migrations", () => {
    const paths = ["a", "b", "c"].flatMap((name) => [`api/x/${name}.ts`, `api/migrations/${name}`]);
    expect(folderProblems(paths, 2)).toEqual([
      "api/x holds 3 files, above the limit of 2: split it.",
    ]);
    expect(folderProblems(paths, 3)).toEqual([]);
  });
});
