import { join } from "node:path";
import type { HardhatUserConfig } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import hardhatConfig from "../../hardhat.config.ts";
import { ROOT } from "../lib/artifacts.ts";

/** There is no such folder. */
const NO_ARTIFACTS = join(ROOT, ".local", "no-artifacts");

type Runtime = ReturnType<typeof createHardhatRuntimeEnvironment>;

/**
 * Hardhat for chains that are used through RPC alone. It finds no artifacts: where it does, the
 * first chain of a process reads all that the compiler wrote, to name lines of Solidity in errors.
 * With the tests' these are 80 MB, and some seconds of the processor.
 */
export function createNodeRuntime(
  networks: HardhatUserConfig["networks"] = hardhatConfig.networks ?? {},
): Runtime {
  const paths = { ...hardhatConfig.paths, artifacts: NO_ARTIFACTS };
  return createHardhatRuntimeEnvironment({ ...hardhatConfig, networks, paths });
}

let shared: Runtime | undefined;

/** The same for all chains of this process, with the networks of the configuration. */
export function nodeRuntime(): Runtime {
  shared ??= createNodeRuntime();
  return shared;
}
