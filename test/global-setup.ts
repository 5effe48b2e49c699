import type { TestProject } from "vitest/node";
import { startPostgres } from "./fixtures/embedded-postgres.ts";
import { startShared } from "./fixtures/shared.ts";

/** What the tests of single parts share: a Postgres, in which each file makes databases of its own. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startShared(project, [startPostgres]);
}
