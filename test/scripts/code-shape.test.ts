import { describe, expect, it } from "vitest";
import { codeShape, FUNCTION_LINE_LIMIT } from "../../scripts/checks/code-shape.ts";

const statements = (count: number) => "  step();\n".repeat(count);

describe("the shape of the code", () => {
  it("finds a literal that is spread into another", () => {
    const shape = codeShape("a.ts", "const b = {\n  ...{ c, d },\n  ...e,\n};\n");
    expect(shape.literalSpreads).toEqual(["a.ts:2"]);
  });

  it("finds spreads that depend on a condition, and not those with a default", () => {
    const text = "const b = {\n  ...(c ? { c } : {}),\n  ...(d && { d }),\n  ...(e ?? {}),\n};\n";
    expect(codeShape("a.ts", text).conditionalSpreads).toEqual(["a.ts:2", "a.ts:3"]);
  });

  it("finds a function whose own lines exceed the limit", () => {
    const text = `function long() {\n${statements(FUNCTION_LINE_LIMIT - 1)}}\n`;
    expect(codeShape("a.ts", text).longFunctions).toEqual([
      `a.ts:1 (${FUNCTION_LINE_LIMIT + 1} lines)`,
    ]);
  });

  it("accepts a function with exactly as many lines as the limit", () => {
    const text = `function short() {\n${statements(FUNCTION_LINE_LIMIT - 2)}}\n`;
    expect(codeShape("a.ts", text).longFunctions).toEqual([]);
  });

  it("counts the lines of a function inside another for the inner one only", () => {
    const inner = `const inner = () => {\n${statements(FUNCTION_LINE_LIMIT - 2)}};\n`;
    const text = `function outer() {\n${inner}${statements(FUNCTION_LINE_LIMIT - 3)}}\n`;
    expect(codeShape("a.ts", text).longFunctions).toEqual([]);
  });
});
