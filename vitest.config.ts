import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Moves the time of a whole service: it shares no modules with files whose time stands. */
const OWN_PROCESS = ["test/api/features/claims/expiry.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    unstubEnvs: true,
    // On two cores vitest would use one worker, which waits for chains and databases most of its
    // time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A stuck wait should fail only its own test, and real services start slowly on a busy machine.
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: [
            "test/{protocol,kit,api,web,db,indexer,contracts,scripts,package}/**/*.test.ts",
          ],
          exclude: OWN_PROCESS,
          // A worker keeps its modules from one file to the next: loading Hardhat, viem and the API
          // for every file takes longer than half of the tests. Spies, mocks and variables are
          // taken back.
          isolate: false,
        },
      },
      { extends: true, test: { name: "own process", include: OWN_PROCESS } },
    ],
  },
});
