import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Compiles the Solidity tests separately from the contracts: without the optimizer, and only the
 * tests' own code. Tests deploy the built contracts (`deploy` in test/contracts/utils/Test.sol), so
 * they check the optimized code. Compiling every contract again in every test would take ten times
 * as long.
 */
export const solidityTestCompilation: HardhatPlugin = {
  id: "solidity-test-compilation",
  hookHandlers: {
    config: () => import("./solidity-test-compilation/config.ts"),
    solidity: () => import("./solidity-test-compilation/solidity.ts"),
  },
};
