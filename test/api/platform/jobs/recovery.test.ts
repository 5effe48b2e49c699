import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { JOBS } from "../../../../api/features.ts";
import { relayerTransactionStore } from "../../../../api/platform/chain/transactions.store.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { recurring } from "../../../../api/platform/jobs/rules.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { startServer } from "../../../../api/server.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { configOf, deployment } from "../../server-config.ts";

const RECOVERY = [
  "transactions.follow",
  "operations.finish",
  "answers.forget",
  "api-keys.forget",
] as const;

describe("recovery", () => {
  it.each(RECOVERY)("%s runs every 30 seconds, on its own", (name) => {
    expect(JOBS[name]).toEqual(recurring(30, JOBS[name].maxSeconds));
  });
});

describe("the server's recovery", () => {
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

  it("removes stored answers that have expired", async () => {
    await connection.db.execute(sql`
      insert into app.idempotency (key_hash, body_hash, state, operation_id, lease_id, locked_until, created_at, expires_at)
      select convert_to(hash, 'UTF8'), '', 'done', gen_random_uuid(), gen_random_uuid(), now(), now(), now() + expires::interval
      from (values ('old', '-1 second'), ('kept', '1 hour')) as given (hash, expires)`);
    const server = await startServer(
      configOf({ DATABASE_URL: database.url }),
      deployment,
      createLog("silent"),
    );
    const left = async () =>
      (
        await connection.db.execute(
          sql`select convert_from(key_hash, 'UTF8') as key from app.idempotency`,
        )
      ).rows;
    await expect.poll(left).toEqual([{ key: "kept" }]);
    await server.stop();
  });

  it("does not keep the process from stopping while it waits for a transaction", async () => {
    const node = await unminingNode();
    const privateKey = generatePrivateKey();
    const account = privateKeyToAccount(privateKey);
    const fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: 31337,
      nonce: 0,
      gas: 21_000n,
      to: account.address,
      ...fees,
    });
    await relayerTransactionStore(connection.db).insert(
      {
        operationId: "stuck",
        sender: account.address,
        nonce: 0,
        gasLimit: 21_000n,
        raw,
        ...fees,
        hashes: [`0x${"ab".repeat(32)}`],
      },
      new Date(),
    );
    const server = await startServer(
      configOf({
        DATABASE_URL: database.url,
        RPC_URL: node.url,
        RELAYER_PRIVATE_KEY: privateKey,
      }),
      deployment,
      createLog("silent"),
    );
    await vi.waitUntil(() => node.sent.length > 0, { timeout: 60_000 });
    expect(node.sent[0]).toBe(raw);

    // The relayer alone would wait a minute for the transaction.
    await server.stop();
    await node.stop();
  }, 120_000);
});

/** A node that accepts transactions and never mines them. */
async function unminingNode() {
  const sent: Hex[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    eth_chainId: "0x7a69",
    eth_getTransactionCount: "0x0",
    eth_getTransactionReceipt: null,
    eth_sendRawTransaction: `0x${"ab".repeat(32)}`,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (method === "eth_sendRawTransaction") sent.push(params[0]);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
