import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Compiles the Solidity tests apart from the contracts: without the optimizer, and asking the compiler for the tests' own
 * code only. Tests deploy the built contracts (`deploy` in test/contracts/utils/Test.sol), so what they measure and check is
 * the optimized code; compiling every contract again inside of every test takes ten times as long as all the rest.
 */
export const solidityTestCompilation: HardhatPlugin = {
  id: "solidity-test-compilation",
  hookHandlers: {
    config: () => import("./solidity-test-compilation/config.ts"),
    solidity: () => import("./solidity-test-compilation/solidity.ts"),
  },
};
