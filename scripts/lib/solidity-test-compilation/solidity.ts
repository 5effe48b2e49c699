import { relative } from "node:path";
import type { SolidityHooks } from "hardhat/types/hooks";
import type { CompilerOutput } from "hardhat/types/solidity";

/** How Hardhat names the project's own files to the compiler. */
const PROJECT = "project/";

const handlers: Partial<SolidityHooks> = {
  invokeSolc: async (context, compiler, input, compilerConfig, next) => {
    const { root, tests } = context.config.paths;
    const folder = `${PROJECT}${relative(root, tests.solidity)}/`;
    const sources = Object.keys(input.sources).filter((source) => source.startsWith(folder));
    const everything = input.settings.outputSelection["*"];
    if (sources.length === 0 || everything === undefined) {
      return await next(context, compiler, input, compilerConfig);
    }

    // Nothing may stand under "*", not even the syntax tree: it makes the compiler generate every contract's code.
    const outputSelection = Object.fromEntries(sources.map((source) => [source, everything]));
    const settings = { ...input.settings, outputSelection };
    return withSyntaxTrees(await next(context, compiler, { ...input, settings }, compilerConfig));
  },
};

/**
 * Gives every source without a syntax tree an empty one. Hardhat's engine reads what was compiled whenever a chain is started,
 * and refuses all of it when a single tree is missing.
 */
function withSyntaxTrees(output: CompilerOutput): CompilerOutput {
  if (output.sources === undefined) return output;
  const sources = Object.entries(output.sources).map(([name, source]) => {
    const empty = { nodeType: "SourceUnit", id: 0, src: `0:0:${source.id}`, nodes: [] };
    return [name, { ...source, ast: source.ast ?? { ...empty, absolutePath: name } }];
  });
  return { ...output, sources: Object.fromEntries(sources) };
}

export default async (): Promise<Partial<SolidityHooks>> => handlers;
