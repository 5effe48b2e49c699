/** The parts used of the syntax tree that solc writes of its intermediate language, Yul. */
export type Expression =
  | { readonly nodeType: "YulLiteral"; readonly kind: string; readonly value: string }
  | { readonly nodeType: "YulIdentifier"; readonly name: string }
  | Call;

export interface Call {
  readonly nodeType: "YulFunctionCall";
  readonly functionName: { readonly name: string };
  readonly arguments: readonly Expression[];
}

export interface Name {
  readonly name: string;
}

export interface Block {
  readonly nodeType: "YulBlock";
  readonly statements: readonly Statement[];
}

export interface Loop {
  readonly nodeType: "YulForLoop";
  readonly pre: Block;
  readonly condition: Expression;
  readonly post: Block;
  readonly body: Block;
}

export interface Switch {
  readonly nodeType: "YulSwitch";
  readonly expression: Expression;
  readonly cases: readonly { readonly value: Expression | "default"; readonly body: Block }[];
}

export interface FunctionDefinition {
  readonly nodeType: "YulFunctionDefinition";
  readonly name: string;
  readonly parameters?: readonly Name[];
  readonly returnVariables?: readonly Name[];
  readonly body: Block;
}

export type Statement =
  | Block
  | Loop
  | Switch
  | FunctionDefinition
  | {
      readonly nodeType: "YulVariableDeclaration";
      readonly variables: readonly Name[];
      readonly value?: Expression | null;
    }
  | {
      readonly nodeType: "YulAssignment";
      readonly variableNames: readonly Name[];
      readonly value: Expression;
    }
  | { readonly nodeType: "YulIf"; readonly condition: Expression; readonly body: Block }
  | { readonly nodeType: "YulExpressionStatement"; readonly expression: Call }
  | { readonly nodeType: "YulLeave" | "YulBreak" | "YulContinue" };

export type Functions = ReadonlyMap<string, FunctionDefinition>;

/** The functions of a block by name. */
export function functionsIn({ statements }: Block): Functions {
  return new Map(
    statements.flatMap((statement) => {
      if (statement.nodeType === "YulBlock") return [...functionsIn(statement)];
      return statement.nodeType === "YulFunctionDefinition" ? [[statement.name, statement]] : [];
    }),
  );
}

/** Every node below one, itself included. */
function nodesOf(node: unknown): object[] {
  if (typeof node !== "object" || node === null) return [];
  return [node, ...Object.values(node).flatMap(nodesOf)];
}

/** What a loop does to the state around it. */
export function effectsOf(loop: Loop, functions: Functions) {
  const nodes = nodesOf(loop);
  const called = new Set<string>();
  const collect = (inside: readonly object[]) => {
    for (const { functionName } of inside as Partial<Call>[]) {
      if (functionName === undefined || called.has(functionName.name)) continue;
      called.add(functionName.name);
      collect(nodesOf(functions.get(functionName.name)?.body));
    }
  };
  collect(nodes);
  return {
    assigned: (nodes as { variableNames?: readonly Name[] }[]).flatMap(
      ({ variableNames = [] }) => variableNames,
    ),
    called,
    leaves: nodes.some((node) => "nodeType" in node && node.nodeType === "YulLeave"),
  };
}
