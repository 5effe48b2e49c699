import { defineConfig } from "vitest/config";
import { LASTING, STACKS } from "./scripts/lib/test-projects.ts";

const LASTING_FILE = "test/e2e/lasting.test.ts";

/** Tests that boot whole stacks: one file at a time, because each uses all cores. */
export default defineConfig({
  test: {
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: STACKS, include: ["test/e2e/**/*.test.ts"], exclude: [LASTING_FILE] },
      },
      // Measures a second: `npm test` runs it alone.
      { extends: true, test: { name: LASTING, include: [LASTING_FILE] } },
    ],
  },
});
