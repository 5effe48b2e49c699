import type { TestProject } from "vitest/node";
import { startPostgres } from "./fixtures/embedded-postgres.ts";
import { startShared } from "./fixtures/shared.ts";
import { startSharedServices } from "./fixtures/shared-service.ts";

/** The running service that its tests share, with its chain, index and database. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startShared(project, [startPostgres, startSharedServices]);
}
