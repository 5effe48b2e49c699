/** A node of the compiler's syntax tree. `src` is offset, length and file, in bytes. */
interface SyntaxNode {
  readonly nodeType: string;
  readonly src: string;
  readonly [member: string]: unknown;
}

/** One change of a source text. */
export interface Fault {
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["+"],
  "/": ["*"],
  "%": ["/"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
};

/** Every fault of these kinds in the functions and constants of a contract or library, in the order of the text. */
export function faultsOf(source: Buffer, tree: SyntaxNode): Fault[] {
  const faults: Fault[] = [];
  const place = (node: SyntaxNode) => {
    const [start = 0, length = 0] = node.src.split(":").map(Number);
    return { start, end: start + length };
  };
  const textOf = (node: SyntaxNode) => {
    const { start, end } = place(node);
    return source.subarray(start, end).toString();
  };
  const add = (node: SyntaxNode, what: string, text: string) =>
    faults.push({ ...place(node), what, text });

  function visit(node: SyntaxNode): void {
    switch (node.nodeType) {
      case "BinaryOperation": {
        const [left, right] = [node.leftExpression, node.rightExpression] as SyntaxNode[];
        if (left === undefined || right === undefined) break;
        const between = { start: place(left).end, end: place(right).start };
        const operator = source.subarray(between.start, between.end).toString();
        for (const other of OPERATORS[String(node.operator)] ?? []) {
          faults.push({
            ...between,
            what: `${String(node.operator)} becomes ${other}`,
            text: operator.replace(String(node.operator), other),
          });
        }
        if (node.operator === "&&" || node.operator === "||") {
          add(node, "the left side alone", textOf(left));
          add(node, "the right side alone", textOf(right));
        }
        break;
      }
      case "IfStatement": {
        const condition = node.condition as SyntaxNode;
        add(condition, "never", "false");
        add(condition, "always", "true");
        break;
      }
      case "UnaryOperation":
        if (node.operator === "!") add(node, "! is left out", textOf(node).slice(1));
        break;
      case "Conditional":
        add(node.condition as SyntaxNode, "the first branch alone", "true");
        add(node.condition as SyntaxNode, "the second branch alone", "false");
        break;
      case "Return":
        if (isBoolean(node.expression)) {
          add(node.expression, "answers true", "true");
          add(node.expression, "answers false", "false");
        }
        break;
      case "ExpressionStatement":
      case "EmitStatement":
      case "RevertStatement": {
        const { start, end } = place(node);
        // The tree counts the semicolon of some statements to them, and of others not.
        const isOpen = source.subarray(end).toString("utf8", 0, 1) === ";";
        faults.push({ start, end: isOpen ? end + 1 : end, what: "is left out", text: "{}" });
        break;
      }
      case "ModifierInvocation":
        if (node.kind !== "baseConstructorSpecifier") add(node, "modifier is left out", "");
        break;
      case "Literal":
        if (node.kind === "number" && /^\d+$/.test(String(node.value))) {
          add(node, "one more", String(BigInt(String(node.value)) + 1n));
        }
        if (node.kind === "string") add(node, "another text", `"${String(node.value)}_"`);
        break;
    }
    for (const member of Object.values(node)) {
      for (const child of Array.isArray(member) ? member : [member]) {
        if (isNode(child) && !child.nodeType.endsWith("TypeName")) visit(child);
      }
    }
  }

  for (const part of partsOf(tree)) visit(part);
  return faults.sort((a, b) => a.start - b.start || (a.text < b.text ? -1 : 1));
}

export function withFault(source: Buffer, { start, end, text }: Fault): string {
  const [before, after] = [source.subarray(0, start), source.subarray(end)];
  return Buffer.concat([before, Buffer.from(text), after]).toString();
}

/** Where a fault is, as a line of the source with its number. */
export function lineOf(source: Buffer, { start }: Fault): string {
  const before = source.subarray(0, start).toString().split("\n");
  const text = source.toString().split("\n")[before.length - 1] ?? "";
  return `${before.length}: ${text.trim()}`;
}

function partsOf(tree: SyntaxNode): SyntaxNode[] {
  const units = (tree.nodes as SyntaxNode[]).filter(
    ({ nodeType }) => nodeType === "ContractDefinition",
  );
  return units.flatMap(({ nodes }) =>
    (nodes as SyntaxNode[]).filter(({ nodeType }) =>
      ["FunctionDefinition", "ModifierDefinition", "VariableDeclaration"].includes(nodeType),
    ),
  );
}

function isBoolean(expression: unknown): expression is SyntaxNode {
  if (!isNode(expression) || expression.nodeType === "Literal") return false;
  const { typeString } = expression.typeDescriptions as { readonly typeString?: string };
  return typeString === "bool";
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}
