import type { TestProject } from "vitest/node";
import { startSharedPostgres } from "./fixtures/embedded-postgres.ts";
import { startShared } from "./fixtures/shared.ts";

/** The Postgres that tests of single parts share. Each file creates its own databases in it. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startShared(project, [startSharedPostgres]);
}
