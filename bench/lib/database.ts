import type { TestProject } from "vitest/node";
import { createDatabaseOn, type TestDatabase } from "../../test/fixtures/databases.ts";
import { startPostgres, TEMPLATE_DATABASE } from "../../test/fixtures/embedded-postgres.ts";

/** Runs `work` over a migrated database on a PostgreSQL of its own; both are gone afterwards. */
export async function withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  let url = "";
  // What starts the tests' PostgreSQL hands its address to a project of tests.
  const project = {
    provide(_name: string, provided: string) {
      url = provided;
    },
  };
  const server = await startPostgres(project as unknown as TestProject);
  try {
    const database = await createDatabaseOn(url, TEMPLATE_DATABASE);
    try {
      return await work(database);
    } finally {
      await database.drop();
    }
  } finally {
    await server.stop();
  }
}
