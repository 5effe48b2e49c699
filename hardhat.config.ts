import { createRequire } from "node:module";
import hardhatToolboxViem from "@nomicfoundation/hardhat-toolbox-viem";
import { configVariable, defineConfig } from "hardhat/config";
import { solidityTestCompilation } from "./scripts/checks/solidity-test-compilation.ts";
import { lastingSubscriptions } from "./scripts/local-stack/lasting-subscriptions.ts";

const require = createRequire(import.meta.url);

/** How the contracts are compiled, as solc takes it. */
export const COMPILER_SETTINGS = {
  evmVersion: "cancun",
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
};

export default defineConfig({
  plugins: [hardhatToolboxViem, solidityTestCompilation, lastingSubscriptions],
  paths: {
    sources: "./contracts",
    tests: { solidity: "./test/contracts" },
  },
  networks: {
    // The local stack's chain: mines on demand, and every second so that time passes when nothing happens.
    stack: {
      type: "edr-simulated",
      chainType: "l1",
      chainId: 31_337,
      // Otherwise each block of a busy second would push the chain's clock one second further into the future.
      allowBlocksWithSameTimestamp: true,
      mining: { auto: true, interval: 1_000 },
    },
    // Public chains. URL and key come from Hardhat's keystore (`hardhat keystore set …`) or from the environment, and are
    // asked for only when one of these networks is used.
    baseSepolia: {
      type: "http",
      chainType: "op",
      chainId: 84_532,
      url: configVariable("BASE_SEPOLIA_RPC_URL"),
      accounts: [configVariable("DEPLOYER_PRIVATE_KEY")],
    },
    base: {
      type: "http",
      chainType: "op",
      chainId: 8453,
      url: configVariable("BASE_RPC_URL"),
      accounts: [configVariable("DEPLOYER_PRIVATE_KEY")],
    },
  },
  verify: { etherscan: { apiKey: configVariable("ETHERSCAN_API_KEY") } },
  test: {
    solidity: {
      profiles: {
        // Sequences of random calls for test/contracts/invariants. `npm test` shares two cores with everything else;
        // `--test-profile soak` is for the long run.
        default: { invariant: { runs: 24, depth: 80 } },
        soak: { fuzz: { runs: 10_000 }, invariant: { runs: 1_000, depth: 200 } },
      },
    },
  },
  solidity: {
    profiles: {
      default: {
        version: "0.8.37",
        // The compiler that npm installed: Hardhat would download one, which an offline machine cannot.
        path: require.resolve("solc/soljson.js"),
        settings: COMPILER_SETTINGS,
      },
    },
  },
});
