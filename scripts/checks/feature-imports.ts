import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** A file of `api/` or `web/` with its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One import declaration from one feature into another. */
interface FeatureImport {
  readonly from: string;
  readonly feature: string;
  readonly to: string;
  readonly names: readonly string[];
}

export interface FeatureImports {
  /** Sentences; empty when nothing is wrong. */
  readonly problems: readonly string[];
  readonly imports: number;
  /** Pairs of features of which the first imports the second. */
  readonly edges: number;
}

type Layer = "decision" | "adapter" | "translator" | "wiring";

const LAYERS: readonly (readonly [RegExp, Layer])[] = [
  [/(\.(store|chain)|\/tables)\.ts$/, "adapter"],
  [/(\.(routes|schemas|http|page)\.tsx?|\/schemas\.ts)$/, "translator"],
  [/(\.jobs|\/(index|feature|build|operation-rules|page-data))\.ts$/, "wiring"],
];

/** What a layer may not take from another feature, through its `index.ts` either. Types may be taken. */
const REFUSED: Readonly<Record<Layer, readonly Layer[]>> = {
  decision: ["translator"],
  translator: ["adapter"],
  adapter: ["translator"],
  wiring: [],
};

/**
 * Reads how features use each other. dependency-cruiser sees files: it holds that only `index.ts`
 * is imported. This holds what it cannot see through an `index.ts`: that the features form no
 * circle, and that names keep to the layers of the files that they come from.
 */
export function featureImports(files: readonly SourceFile[]): FeatureImports {
  const parsed = files.map(({ path, text }) => ({ path, statements: statementsOf(path, text) }));
  const origins = new Map<string, string>();
  for (const { path, statements } of parsed) {
    if (!isIndex(path)) continue;
    for (const { target, names } of statements) {
      for (const name of names) origins.set(`${path} ${name}`, target);
    }
  }
  const found = parsed.flatMap(({ path, statements }): FeatureImport[] => {
    const feature = featureOf(path) ?? pagesOf(path);
    if (feature === null || isIndex(path)) return [];
    return statements.flatMap(({ target, names }) => {
      const to = featureOf(target);
      return to === null || to === feature ? [] : [{ from: path, feature, to, names }];
    });
  });
  const used = new Map<string, Set<string>>();
  for (const { feature, to } of found) {
    used.set(feature, (used.get(feature) ?? new Set<string>()).add(to));
  }
  return {
    problems: [
      ...found.flatMap((one) => layerProblems(one, origins)),
      ...circles(used).map((names) => `Features import each other in a circle: ${names}.`),
    ],
    imports: found.length,
    edges: [...used.values()].reduce((sum, targets) => sum + targets.size, 0),
  };
}

function layerProblems({ from, to, names }: FeatureImport, origins: ReadonlyMap<string, string>) {
  return names.flatMap((name) => {
    const origin = origins.get(`api/features/${to}/index.ts ${name}`);
    if (origin === undefined || !REFUSED[layerOf(from)].includes(layerOf(origin))) return [];
    return [
      `${from} is a ${layerOf(from)} and takes ${name} from the ${layerOf(origin)} ${origin}.`,
    ];
  });
}

/** The features that are left when those that import none of the others are taken away. */
function circles(used: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map([...used].map(([name, targets]) => [name, new Set(targets)]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [name, targets] of left) {
      for (const target of targets) if (!left.has(target)) targets.delete(target);
      if (targets.size === 0) left.delete(name);
    }
  }
  return left.size === 0 ? [] : [[...left.keys()].sort().join(", ")];
}

function statementsOf(path: string, text: string) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const clause = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    const isNamed =
      clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause));
    return [
      {
        target: normalize(join(dirname(path), moduleSpecifier.text)),
        names: isNamed
          ? clause.elements
              .filter((one) => ts.isExportDeclaration(statement) || !isTypeOnly(statement, one))
              .map((one) => (one.propertyName ?? one.name).text)
          : [],
      },
    ];
  });
}

function isTypeOnly(
  { importClause }: ts.ImportDeclaration,
  name: ts.ImportSpecifier | ts.ExportSpecifier,
): boolean {
  return name.isTypeOnly || importClause?.isTypeOnly === true;
}

function featureOf(path: string): string | null {
  return /^api\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Pages are like a feature that no other imports. What runs in browsers takes types alone. */
function pagesOf(path: string): string | null {
  return /^web\/(?!scripts\/)[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

function isIndex(path: string): boolean {
  return /^api\/features\/[^/]+\/index\.ts$/.test(path);
}

function layerOf(path: string): Layer {
  return LAYERS.find(([pattern]) => pattern.test(path))?.[1] ?? "decision";
}
