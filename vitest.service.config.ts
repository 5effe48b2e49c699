import { defineConfig } from "vitest/config";

/**
 * Tests of the API over HTTP. Files share two services, one file at a time: a file may hold back
 * the chain's blocks or count all rows of a table, and must restore the service's state.
 */
export default defineConfig({
  test: {
    include: ["test/service/**/*.test.ts"],
    globalSetup: ["test/global-setup-service.ts"],
    setupFiles: ["test/fixtures/record-exchanges.ts"],
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
