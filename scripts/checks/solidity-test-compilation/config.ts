import { globSync } from "node:fs";
import { relative } from "node:path";
import type { SolidityBuildProfileConfig } from "hardhat/types/config";
import type { ConfigHooks } from "hardhat/types/hooks";

const handlers: Partial<ConfigHooks> = {
  resolveUserConfig: async (userConfig, resolveConfigurationVariable, next) => {
    const config = await next(userConfig, resolveConfigurationVariable);
    const { root, tests } = config.paths;
    const files = globSync("**/*.sol", { cwd: tests.solidity }).map((file) =>
      relative(root, `${tests.solidity}/${file}`),
    );
    for (const profile of Object.values(config.solidity.profiles)) compileApart(profile, files);
    return config;
  },
};

function compileApart(profile: SolidityBuildProfileConfig, files: readonly string[]): void {
  const [forContracts] = profile.compilers;
  if (forContracts === undefined) return;
  const { optimizer: _optimizer, viaIR: _viaIR, ...settings } = forContracts.settings;
  // One object for all of them: Hardhat compiles together what shares it.
  const forTests = { ...forContracts, settings };
  for (const file of files) profile.overrides[file] = forTests;
}

export default async (): Promise<Partial<ConfigHooks>> => handlers;
