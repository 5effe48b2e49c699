import { afterAll, beforeAll } from "vitest";
import { connectDatabase, type DatabaseConnection } from "../../api/db/connect.ts";
import { createLog } from "../../api/log.ts";
import { createKeptTables } from "../fixtures/chronicles.ts";
import { type Service, startService } from "../fixtures/service.ts";

/** The service as it runs, one for all suites that the same test file imports: starting it takes as long as a suite does. */
export let service: Service;
/** Of the tests' own to the service's database. */
export let connection: DatabaseConnection;

beforeAll(async () => {
  service = await startService();
  const { rows } = await service.pool.query("select current_database() as name");
  const url = new URL((service.pool.options as { connectionString: string }).connectionString);
  url.pathname = `/${rows[0].name}`;
  connection = connectDatabase(url.href, createLog("silent"));
  await createKeptTables(connection);
});
afterAll(async () => {
  await connection?.close();
  await service?.stop();
});
