import { describe, expect, it } from "vitest";
import { riddleProblems, riddlesIn } from "../../scripts/checks/plain-words.ts";

// Written in parts, so that the check does not count this file.
const NO_ONE = ["no", "body"].join("");
const NOT_ONE = ["is", "none"];

describe("the plain word list", () => {
  it("finds a listed word with its file and line, in any case", () => {
    const text = `const a = 1;\n// ${NO_ONE.toUpperCase()} reads this.\n`;
    expect(riddlesIn("api/a.ts", text)).toEqual([{ path: "api/a.ts", line: 2, word: NO_ONE }]);
  });

  it("finds two words that a comment breaks over two lines", () => {
    const text = `/**\n * A hash that ${NOT_ONE.join("\n * ")}.\n */\n`;
    expect(riddlesIn("api/a.ts", text)).toEqual([
      { path: "api/a.ts", line: 2, word: NOT_ONE.join(" ") },
    ]);
  });

  it("does not find a listed word inside a longer one", () => {
    expect(riddlesIn("api/a.ts", `const a${NO_ONE}b = 1;\n`)).toEqual([]);
  });

  it("accepts as many uses as the limit", () => {
    const uses = riddlesIn("api/a.ts", `// ${NO_ONE}, ${NO_ONE}`);
    expect(riddleProblems(uses, 2)).toBe("");
  });

  it("lists every use and what to write instead above the limit", () => {
    const uses = riddlesIn("api/a.ts", `// ${NO_ONE}`);
    expect(riddleProblems(uses, 0)).toBe(
      [
        `api/a.ts:1 "${NO_ONE}": name the role, or write 'no owner', 'no client'.`,
        "1 uses of these words, 1 above the limit of 0.",
      ].join("\n"),
    );
  });
});
