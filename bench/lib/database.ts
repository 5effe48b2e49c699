import { createDatabaseOn, type TestDatabase } from "../../test/fixtures/databases.ts";
import { startPostgres, TEMPLATE_DATABASE } from "../../test/fixtures/embedded-postgres.ts";

/** Runs `work` over a migrated database on a PostgreSQL of its own; both are gone afterwards. */
export async function withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  try {
    const database = await createDatabaseOn(server.url, TEMPLATE_DATABASE);
    try {
      return await work(database);
    } finally {
      await database.drop();
    }
  } finally {
    await server.stop();
  }
}
