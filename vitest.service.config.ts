import { defineConfig } from "vitest/config";

/**
 * Tests of the API as it runs, over HTTP. All files use one service, one file at a time: a file may hold the chain's blocks back,
 * or count all rows of a table, and must leave the service as it found it.
 */
export default defineConfig({
  test: {
    include: ["test/service/**/*.test.ts"],
    globalSetup: ["test/global-setup-service.ts"],
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
