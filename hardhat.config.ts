import { createRequire } from "node:module";
import hardhatToolboxViem from "@nomicfoundation/hardhat-toolbox-viem";
import { defineConfig } from "hardhat/config";

const require = createRequire(import.meta.url);

export default defineConfig({
  plugins: [hardhatToolboxViem],
  paths: {
    sources: "./contracts",
    tests: { solidity: "./test/contracts" },
  },
  test: {
    solidity: {
      // Sequences of random calls for test/contracts/invariants; handlers refuse nothing, so a revert is a mistake of theirs.
      invariant: { runs: 24, depth: 80, failOnRevert: true },
    },
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
  },
  test: {
    solidity: {
      profiles: {
        // `npm test` shares two cores with everything else; `--test-profile soak` is for the long run.
        default: { invariant: { runs: 32, depth: 100 } },
        soak: { fuzz: { runs: 10_000 }, invariant: { runs: 512, depth: 500 } },
      },
    },
  },
  solidity: {
    profiles: {
      default: {
        version: "0.8.37",
        // The compiler that npm installed: Hardhat would download one, which an offline machine cannot.
        path: require.resolve("solc/soljson.js"),
        settings: {
          evmVersion: "cancun",
          viaIR: true,
          optimizer: { enabled: true, runs: 200 },
        },
      },
    },
  },
});
