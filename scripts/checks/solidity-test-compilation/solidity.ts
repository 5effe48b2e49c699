import { relative } from "node:path";
import type { SolidityHooks } from "hardhat/types/hooks";

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
    const output = await next(context, compiler, { ...input, settings }, compilerConfig);

    // What was not asked for has no syntax tree either, and Hardhat opens no chain over a build with a source without one.
    const compiled = Object.entries(output.sources ?? {}).filter(
      ([, { ast }]) => ast !== undefined,
    );
    return { ...output, sources: Object.fromEntries(compiled) };
  },
};

export default async (): Promise<Partial<SolidityHooks>> => handlers;
