import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import { bytesToHex, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createChronicleStore } from "../../../../api/features/chronicles/chronicles.store.ts";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { chronicleAnchorAbi } from "../../../../protocol/generated/abi.ts";
import { chronicleRootOf } from "../../../../protocol/index.ts";
import {
  batchProcess,
  createKeptTables,
  entryOf,
  keptEvents,
  keptJobs,
  queueEntry,
} from "../../../fixtures/chronicles.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { capturedLog } from "../../helpers.ts";

// Many chronicles. SVC_SOAK=1 tests the promised numbers; without it, a tenth or less of them.

const SOAK = process.env.SVC_SOAK === "1";
const AGENTS = SOAK ? 500 : 50;
const CHRONICLES = SOAK ? 10_000 : 500;
const QUEUED_AT_ONCE = SOAK ? 100_000 : 5_000;
const MAX_KIB = 512 * 1024;

const run = promisify(execFile);
let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  chain = await startSignInChain();
});
afterAll(() => chain?.stop());
beforeEach(async () => {
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log);
  await createKeptTables(connection);
});
afterEach(async () => {
  await connection.close();
  await database.drop();
});

const verifyOnChain = (...args: readonly unknown[]) =>
  chain.client.readContract({
    address: chain.contracts.chronicleAnchor,
    abi: chronicleAnchorAbi,
    functionName: "verify",
    args,
  } as never) as Promise<unknown>;

/** Queues chronicles without a service. Only this test reads the content. */
async function queueMany(count: number): Promise<void> {
  await connection.pool.query(
    `with new as (
       insert into app.chronicle (token_id, chronicle_id, epoch, category, change_type, recorded_at, data,
         content_hash, archive_id, leaf, authority, operation_key)
       select 1 + n % 500, 1 + n / 500, 1, 'technical', 'technical', now(), '{}',
         '0x' || encode(sha256(convert_to('content ' || n, 'UTF8')), 'hex'),
         left(translate(encode(sha256(convert_to('item ' || n, 'UTF8')), 'base64'), '+/', '-_'), 43),
         sha256(convert_to('leaf ' || n, 'UTF8')), 'api_key', 'operation ' || n
       from generate_series(0, $1::int - 1) as n returning token_id, chronicle_id, leaf)
     insert into app.chronicle_state (token_id, chronicle_id, leaf) select * from new`,
    [count],
  );
}

describe(`${CHRONICLES} chronicles of ${AGENTS} agents`, () => {
  it(
    "are anchored by one transaction, and every proof holds on chain and off it",
    async () => {
      const worker = batchProcess({ chain, connection });
      // The first batch of a deployment also pays for the counter's storage slot.
      await queueEntry(connection, entryOf(1n));
      await worker.run();
      const chronicles = [];
      for (let start = 0; start < CHRONICLES; start += 50) {
        const some = Array.from({ length: 50 }, (_, index) =>
          queueEntry(connection, entryOf(BigInt(1 + ((start + index) % AGENTS)))),
        );
        chronicles.push(...(await Promise.all(some)));
      }
      const { anchored } = await worker.run();
      await worker.close();
      expect(anchored).toEqual([2n]);
      const notices = await connection.pool.query(
        "select count(*)::int as sent, count(distinct key)::int as keys from test_event",
      );
      expect(notices.rows).toEqual([{ sent: CHRONICLES + 1, keys: CHRONICLES + 1 }]);

      const store = createChronicleStore({
        db: connection.db,
        jobs: keptJobs,
        events: keptEvents,
        clock: () => new Date(),
      });
      const { rows } = await connection.pool.query(
        "select root, tx_hash from app.chronicle_batch where id = 2",
      );
      for (const { tokenId, chronicleId, leaf } of chronicles) {
        const proof = (await store.inclusion(tokenId, chronicleId))?.merkleProof ?? [];
        expect(chronicleRootOf(leaf, proof)).toBe(rows[0].root);
        expect(await verifyOnChain(anchored[0], leaf, proof)).toBe(true);
      }
      const hash = rows[0].tx_hash as Hex;
      const { gasUsed } = await chain.client.getTransactionReceipt({ hash });
      // The same cost for any number of leaves: 60 gas each for a thousand.
      expect(gasUsed).toBeLessThanOrEqual(60_000n);
    },
    SOAK ? 900_000 : 120_000,
  );
});

describe(`a queue of ${QUEUED_AT_ONCE}`, () => {
  it(
    "is batched within 512 MiB",
    async () => {
      const fresh = await startSignInChain();
      try {
        await queueMany(QUEUED_AT_ONCE);
        const where = JSON.stringify({
          databaseUrl: database.url,
          rpcUrl: fresh.rpcUrl,
          contracts: fresh.contracts,
        });
        // Started by a shell, because Linux counts the memory of the process that starts another one
        // as the peak of the new one, and this process can be the larger of the two.
        const worker = [
          process.execPath,
          "--import",
          "tsx",
          "test/fixtures/batch-worker.ts",
          where,
        ];
        const { stdout } = await run("/bin/sh", ["-c", '"$@"; exit $?', "sh", ...worker]);
        const report = JSON.parse(stdout);
        if (SOAK) console.log(report);
        expect(report.anchored).toEqual([1]);
        expect(report.peakKiB).toBeLessThan(MAX_KIB);

        const { rows } = await connection.pool.query(
          `select (select root from app.chronicle_batch) as root, (select stage from app.chronicle_batch) as stage,
             (select count(*)::int from app.chronicle_state where proof is not null) as proven`,
        );
        expect(rows[0]).toMatchObject({ stage: "confirmed", proven: QUEUED_AT_ONCE });
        if (!SOAK) {
          const all = await connection.pool.query("select leaf from app.chronicle");
          const leaves = all.rows.map(({ leaf }) => bytesToHex(leaf));
          expect(SimpleMerkleTree.of(leaves).root).toBe(rows[0].root);
        }
      } finally {
        await fresh.stop();
      }
    },
    SOAK ? 900_000 : 120_000,
  );
});
