import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  connectDatabase,
  type DatabaseConnection,
} from "../../../../api/platform/database/connect.ts";
import { alignmentRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { seedAlignment } from "../../../fixtures/alignment-index.ts";
import { createKeptTables } from "../../../fixtures/chronicles.ts";
import { createDatabase, type TestDatabase } from "../../../fixtures/postgres.ts";
import { type SignInChain, startSignInChain } from "../../../fixtures/sign-in-chain.ts";
import { capturedLog } from "../../helpers.ts";

// Many agents in one run. SVC_SOAK=1 tests the promised number; without it, a thirtieth.

const SOAK = process.env.SVC_SOAK === "1";
const COUNTS = SOAK ? [100, 1_000, 10_000] : [300];
const MAX_KIB = 512 * 1024;
const MAX_RETAINED_KIB = 128 * 1024;

/** Code that answers 1 to every call: every token id is a soul in its first epoch. */
const EPOCH_ONE = "0x600160005260206000f3";

const run = promisify(execFile);
let chain: SignInChain;
let database: TestDatabase;
let connection: DatabaseConnection;

beforeEach(async () => {
  chain = await startSignInChain();
  database = await createDatabase();
  connection = connectDatabase(database.url, capturedLog("silent").log, { statementMs: 300_000 });
  await createKeptTables(connection);
});
afterEach(async () => {
  await connection?.close();
  await database?.drop();
  await chain?.stop();
});

it.each(COUNTS)(
  "snapshots %i agents in one run within 512 MiB",
  async (count) => {
    const { client, contracts, rpcUrl } = chain;
    // The seeded events are not on this chain: blocks of them are not recent.
    await client.mine({ blocks: 5_000 });
    await client.setCode({ address: contracts.soulRegistry, bytecode: EPOCH_ONE });
    const { number: block, timestamp } = await client.getBlock();
    await seedAlignment(connection.pool, count, { time: Number(timestamp), block });
    await connection.pool.query(
      `insert into app.alignment_snapshot (id, token_id, agent_name, epoch, trigger, state, created_at)
       select 'snapshot ' || n, n, 'agent-number-' || n, 1, 'scheduled', 'computing', now()
       from generate_series(1, $1::int) as n`,
      [count],
    );
    const where = JSON.stringify({ databaseUrl: database.url, rpcUrl, contracts });
    // Started by a shell, because Linux counts the memory of the process that starts another one
    // as the peak of the new one, and this process can be the larger of the two.
    const worker = [
      process.execPath,
      "--expose-gc",
      "--import",
      "tsx",
      "test/fixtures/alignment-worker.ts",
      where,
    ];
    const { stdout } = await run("/bin/sh", ["-c", '"$@"; exit $?', "sh", ...worker]);
    const report = JSON.parse(stdout);
    if (SOAK) console.log(count, report);
    expect(report.peakKiB).toBeLessThan(MAX_KIB);
    // Nothing is kept of what was scored: the heap ends as it began, however many there were.
    expect(report.retainedKiB).toBeLessThan(MAX_RETAINED_KIB);

    const { rows } = await connection.pool.query(
      "select state, count(*)::int as snapshots from app.alignment_snapshot group by 1",
    );
    expect(rows).toEqual([{ state: "recorded", snapshots: count }]);
    const events = await client.getContractEvents({
      address: contracts.alignmentRegistry,
      abi: alignmentRegistryAbi,
      eventName: "AlignmentRecorded",
      fromBlock: 0n,
      strict: true,
    });
    expect(new Set(events.map(({ args }) => args.tokenId)).size).toBe(count);
    expect(events).toHaveLength(count);
  },
  SOAK ? 1_800_000 : 300_000,
);
