import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { JOBS, type JobName } from "../../../../api/features.ts";
import { relayerTransactionStore } from "../../../../api/platform/chain/transactions.store.ts";
import type { DatabaseConnection } from "../../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../../api/platform/database/connect.ts";
import { recoveryJobs } from "../../../../api/platform/jobs/recurring.ts";
import { createLog } from "../../../../api/platform/log/log.ts";
import { startServer } from "../../../../api/server.ts";
import type { TestDatabase } from "../../../fixtures/postgres.ts";
import { createDatabase } from "../../../fixtures/postgres.ts";
import { configOf, deployment } from "../../server-config.ts";

const NOW = new Date("2026-02-02T12:00:00.000Z");
const DAY_MS = 24 * 60 * 60 * 1000;

describe("recovery", () => {
  it("is a recurring job whose parts run independently", async () => {
    const relayer = { recover: vi.fn(async () => {}) };
    const registration = { recover: vi.fn(() => Promise.reject(new Error("down"))) };
    const operations = { recover: vi.fn(async () => {}) };
    const registrations = { forgetApiKeys: vi.fn(async () => {}) };
    const idempotency = { deleteExpired: vi.fn(async () => 1) };
    const parts = {
      relayer,
      registration,
      operations,
      registrations,
      idempotency,
      clock: () => NOW,
    };
    const { "registrations.finish": finish, ...others } = recoveryJobs(parts);

    await expect(finish()).rejects.toThrow(new Error("down"));
    for (const perform of Object.values(others)) expect(await perform()).toBeUndefined();
    expect(registrations.forgetApiKeys.mock.calls).toEqual([[new Date(NOW.getTime() - DAY_MS)]]);
    expect(idempotency.deleteExpired.mock.calls).toEqual([[NOW]]);
    expect(relayer.recover).toHaveBeenCalledOnce();
    expect(operations.recover).toHaveBeenCalledOnce();
    const rounds = Object.keys(recoveryJobs(parts)).map(
      (name) => JOBS[name as JobName].everySeconds,
    );
    expect(rounds).toEqual([30, 30, 30, 30, 30]);
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
    await vi.waitUntil(() => node.sent.length > 0);
    expect(node.sent[0]).toBe(raw);

    // The relayer alone would wait a minute for the transaction.
    await server.stop();
    await node.stop();
  }, 15_000);
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
