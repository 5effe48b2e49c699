import { defineConfig } from "vitest/config";

/** Tests that boot whole stacks: one file at a time, because each uses all cores. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
