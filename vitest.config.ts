import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{protocol,kit,api,db,indexer,contracts,scripts}/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // On two cores vitest would keep one for itself, and its only worker waits for chains and databases much of its time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A stuck wait should fail its own test, and starting real services takes a moment on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
