import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operation, operationSubject } from "../../../../api/operations/tables.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";

const MAX_UINT256 = 2n ** 256n - 1n;

let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, createLog("silent"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

async function addOperation(payload: unknown): Promise<string> {
  const id = randomUUID();
  await connection.db.insert(operation).values({
    id,
    kind: "test",
    settlement: "chain",
    state: "accepted",
    requestHash: "0x01",
    operationKey: "key",
    payload: { payload },
    acceptedBlock: 2n ** 62n,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });
  return id;
}

it("exact JSON restores bigints, and objects that only look like stored bigints", async () => {
  const payload = {
    id: MAX_UINT256,
    list: [0n, -1n, { nested: 2n ** 64n }],
    number: 7,
    lookalikes: [{ $bigint: "1" }, { $plain: [["$bigint", "2"]] }, { $bigint: 3n, other: null }],
  };
  const id = await addOperation(payload);
  const [row] = await connection.db.select().from(operation).where(eq(operation.id, id));
  expect(row?.payload).toEqual({ payload });
  expect(row?.request).toBeNull();
  expect(row?.acceptedBlock).toBe(2n ** 62n);
});

it("uint256 holds the largest value of the chain, and is compared as a number", async () => {
  const { db } = connection;
  const id = await addOperation(null);
  const subjects = [9n, 10n, MAX_UINT256].map((subject) => ({
    operationId: id,
    kind: "soul" as const,
    id: subject,
    epoch: 1,
  }));
  await db.insert(operationSubject).values(subjects);
  const stored = await db
    .select()
    .from(operationSubject)
    .where(eq(operationSubject.operationId, id))
    .orderBy(operationSubject.id);
  expect(stored).toEqual(subjects);
  const found = await db
    .select({ id: operationSubject.id })
    .from(operationSubject)
    .where(eq(operationSubject.id, MAX_UINT256));
  expect(found).toEqual([{ id: MAX_UINT256 }]);
});
