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
