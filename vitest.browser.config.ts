import { defineConfig } from "vitest/config";

/** Tests in a real browser. One file at a time: each has a browser and a whole service of its own. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
