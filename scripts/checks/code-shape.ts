import ts from "typescript";

/**
 * A function with more lines of its own is split, so that each step has a name. The lines of the
 * functions inside it are counted for those: a factory of many short methods is not a long function.
 */
export const FUNCTION_LINE_LIMIT = 100;

/** The most one-line literal spreads, `...{ a, b }`, in the whole tree. Only ever lowered. */
export const LITERAL_SPREAD_LIMIT = 0;

/** The most conditional spreads, `...(x ? { x } : {})`, in the whole tree. Only ever lowered. */
export const CONDITIONAL_SPREAD_LIMIT = 144;

export interface CodeShape {
  readonly literalSpreads: readonly string[];
  readonly conditionalSpreads: readonly string[];
  readonly longFunctions: readonly string[];
}

/** Finds the shapes that the project avoids in one file; each as `path:line`. */
export function codeShape(path: string, text: string): CodeShape {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literalSpreads: string[] = [];
  const conditionalSpreads: string[] = [];
  const longFunctions: string[] = [];

  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const linesOf = (node: ts.Node) => lineOf(node.end) - lineOf(node.getStart(source)) + 1;
  const linesOfFunctionsInside = (node: ts.Node): number => {
    let lines = 0;
    ts.forEachChild(node, (child) => {
      // A function on one line shares it with the code around it.
      if (isFunctionWithBody(child)) lines += linesOf(child) > 1 ? linesOf(child) : 0;
      else lines += linesOfFunctionsInside(child);
    });
    return lines;
  };

  const visit = (node: ts.Node): void => {
    const place = () => `${path}:${lineOf(node.getStart(source))}`;
    if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) {
      const spread = withoutParentheses(node.expression);
      if (ts.isObjectLiteralExpression(spread)) literalSpreads.push(place());
      if (isConditional(spread)) conditionalSpreads.push(place());
    }
    if (isFunctionWithBody(node)) {
      const lines = linesOf(node) - linesOfFunctionsInside(node);
      if (lines > FUNCTION_LINE_LIMIT) longFunctions.push(`${place()} (${lines} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literalSpreads, conditionalSpreads, longFunctions };
}

function isFunctionWithBody(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}

/** `x ? a : b` and `x && a`, not `x ?? a`, which has one shape. */
function isConditional(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return true;
  return (
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
  );
}
