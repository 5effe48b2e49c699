import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertSameDeployment } from "../../../api/operations/deployment-check.store.ts";
import type { DatabaseConnection } from "../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../api/platform/database/connect.ts";
import { createLog } from "../../../api/platform/log/log.ts";
import type { TestDatabase } from "../../fixtures/postgres.ts";
import { createDatabase } from "../../fixtures/postgres.ts";

const REGISTRY = `0x${"11".repeat(20)}` as const;
const OTHER = `0x${"22".repeat(20)}` as const;

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

describe("the database of a deployment", () => {
  const check = (chainId: number, soulRegistry: `0x${string}`) =>
    assertSameDeployment(connection.db, {
      chainId,
      contracts: { soulRegistry, validationRegistry: null },
    });

  it("is accepted without operations and with its own, and refused with those of another", async () => {
    await check(31337, REGISTRY);
    const id = "3f0e4f0e-7a55-4f5c-9a53-5a3d0e9a0b11";
    await connection.db.execute(sql`
      insert into app.operation (id, kind, settlement, state, request_hash, operation_key, payload,
        accepted_block, created_at, updated_at)
      values (${id}, 'seal', 'chain', 'settled', '0x', 'key', '{}', 1, now(), now())`);
    await connection.db.execute(sql`
      insert into app.operation_signature (operation_id, role, position, chain_id, contract,
        primary_type, signer, nonce, digest, message, signature)
      values (${id}, 'owner', 0, 31337, ${REGISTRY}, 'Seal', '0x', 1, '0x', '{}', '0x')`);
    await check(31337, REGISTRY);
    const message = `This database belongs to another deployment: it has operations for the contract ${REGISTRY} on chain 31337. Start with a new, empty database.`;
    await expect(check(31337, OTHER)).rejects.toThrow(new Error(message));
    await expect(check(8453, REGISTRY)).rejects.toThrow(new Error(message));
  });
});
