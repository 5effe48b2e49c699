import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/{protocol,kit,api,db,indexer,contracts,scripts}/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // A stuck wait should fail its own test, and starting real services takes a moment on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
