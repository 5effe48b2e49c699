import { globSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { TRACED, UNTRACED } from "./scripts/lib/test-projects.ts";

const files = globSync("test/service/**/*.test.ts").sort();
/** The lengths of names share the files out about evenly; `tracing.test.ts` is odd. */
const isTraced = (file: string) => basename(file).length % 2 === 1;
const isUntraced = (file: string) => !isTraced(file);

/** Vitest gives a project what its own set-up provides, and no set-up of the root's. */
const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { name, include, globalSetup: ["test/global-setup-service.ts"] },
});

/**
 * Tests of the API over HTTP. The files of a project share a service, one file at a time: a file
 * may hold back the chain's blocks or count all rows of a table, and must restore the service's
 * state. `npm test` runs the two projects beside each other.
 */
export default defineConfig({
  test: {
    setupFiles: ["test/fixtures/record-exchanges.ts"],
    fileParallelism: false,
    isolate: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 180_000,
    projects: [
      project(TRACED, files.filter(isTraced)),
      project(UNTRACED, files.filter(isUntraced)),
    ],
  },
});
