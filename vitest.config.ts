import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{protocol,kit,api,db,indexer,contracts,scripts,package}/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // A worker keeps its modules from one file to the next: loading Hardhat, viem and the API for
    // every file takes longer than half of the tests. Spies, mocks and variables are taken back.
    isolate: false,
    unstubEnvs: true,
    // On two cores vitest would use one worker, which waits for chains and databases most of its
    // time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A stuck wait should fail only its own test, and real services start slowly on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
