import type { HookContext } from "hardhat/types/hooks";
import type { Compiler, CompilerInput, CompilerOutput } from "hardhat/types/solidity";
import { describe, expect, it } from "vitest";
import hooks from "../../scripts/checks/solidity-test-compilation/solidity.ts";

const TEST = "project/test/contracts/A.t.sol";
const CONTRACT = "project/contracts/A.sol";
const ALL = { "*": { "*": ["abi"], "": ["ast"] } };

/** The hook's input to the compiler, and its result for the compiler's answer. */
async function compile(sources: readonly string[], answer: CompilerOutput) {
  const { invokeSolc } = await hooks();
  if (invokeSolc === undefined) throw new Error("There is no hook.");
  const paths = { root: "/project", tests: { solidity: "/project/test/contracts" } };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(sources.map((source) => [source, { content: "" }])),
    settings: { outputSelection: ALL },
  } as unknown as CompilerInput;
  let seen: CompilerInput | undefined;
  const output = await invokeSolc(
    { config: { paths } } as unknown as HookContext,
    {} as Compiler,
    input,
    {} as Parameters<typeof invokeSolc>[3],
    async (_context, _compiler, given) => {
      seen = given;
      return answer;
    },
  );
  return { selection: seen?.settings.outputSelection, output };
}

describe("the compilation of Solidity tests", () => {
  it("requests the tests' own code only, and keeps no source without a syntax tree", async () => {
    const ast = { nodeType: "SourceUnit" };
    const answer = {
      sources: { [TEST]: { id: 0, ast }, [CONTRACT]: { id: 1 } },
      contracts: {},
    } as unknown as CompilerOutput;

    const { selection, output } = await compile([TEST, CONTRACT], answer);

    expect(selection).toEqual({ [TEST]: ALL["*"] });
    expect(output).toEqual({ sources: { [TEST]: { id: 0, ast } }, contracts: {} });
  });

  it("leaves the compilation of contracts alone", async () => {
    const answer = { sources: { [CONTRACT]: { id: 0, ast: {} } } } as unknown as CompilerOutput;

    const { selection, output } = await compile([CONTRACT], answer);

    expect(selection).toEqual(ALL);
    expect(output).toBe(answer);
  });
});
