import type { TestProject } from "vitest/node";
import { startSharedPostgres } from "./fixtures/embedded-postgres.ts";
import { startShared } from "./fixtures/shared.ts";
import { startSharedService } from "./fixtures/shared-service.ts";

/** The running service that the tests of a project share, with its chain, index and database. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startShared(project, [startSharedPostgres, startSharedService]);
}
