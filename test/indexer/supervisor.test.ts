import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePorts } from "../../scripts/local-stack/ports.ts";
import { processFamily } from "../../scripts/local-stack/process-family.ts";
import { sharedBuild } from "../../scripts/service/shared-build.ts";
import { alice, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { createDatabase, type TestDatabase } from "../fixtures/postgres.ts";

// The built indexer's process as operators start it, with Ponder below it.

const WAIT = { timeout: 240_000, interval: 100 };
/** Starts of the indexer while its views are read. */
const STARTS = 3;

let chain: IndexedChain;
let database: TestDatabase;
let pool: pg.Pool;
let port: number;
let program: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  pool = new pg.Pool({ connectionString: database.url });
  [port = 0] = await freePorts(1);
  program = join(await sharedBuild(), "scripts/indexer.js");
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(stopped));
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await chain?.stop();
});

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function startSupervisor(environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      RPC_URL: chain.rpcUrl,
      SVC_DEPLOYMENT: chain.deploymentPath,
      SVC_INDEXER_PORT: String(port),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  return { child, output: () => output };
}

const isReady = () =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The supervisor and the processes below it. */
const familyOf = ({ pid }: ChildProcess) => processFamily(pid ?? 0).map((process) => process.pid);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const isListening = () =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

const SERVED = `select table_schema as name from information_schema.view_table_usage
  where view_schema = 'chain' and view_name = '_ponder_meta'`;

async function names(query: string): Promise<readonly string[]> {
  return (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
}

/** The schema that the views show. */
const served = () => names(SERVED);

const schemas = () =>
  names(
    "select nspname as name from pg_namespace where starts_with(nspname, 'indexer_') order by 1",
  );

/** How often the index has it: once or not at all. */
async function passport(agentId: bigint): Promise<number> {
  const { rowCount } = await pool.query("select from chain.passport where id = $1", [
    String(agentId),
  ]);
  return rowCount ?? 0;
}

const faults = async () =>
  (
    await pool.query(`select found_by, from_block, to_block, detail, rebuilt_as, mended_at is not null as mended
      from app.index_fault order by id`)
  ).rows;

/** As a node leaves it that had no logs of the block when Ponder read it: they are in no cache, and the rows in no table. */
async function loseEvents(schema: string, agentId: bigint, block: bigint): Promise<void> {
  await pool.query(`begin;
    set local session_replication_role = replica;
    delete from ponder_sync.logs where block_number = ${block};
    delete from ${schema}.passport where id = ${agentId};
    delete from app.index_reread;
    commit`);
}

describe("the indexer's process", () => {
  it("builds a new index without a fault, also after kill -9, and leaves no process behind", async () => {
    const { agentId, blockNumber } = await chain.registerPassport(alice, "https://alice.example/");
    // Ponder counts a block as final after 30 further ones.
    for (let mined = 0; mined < 40; mined += 1) await chain.client.mine({ blocks: 1 });
    const first = startSupervisor({ INDEX_REREAD_MS: "1000" });
    await expect.poll(isReady, WAIT).toBe(true);
    expect(await passport(agentId)).toBe(1);
    const [old = ""] = await served();
    await loseEvents(old, agentId, blockNumber);
    await expect.poll(schemas, WAIT).toEqual([old, `${old}_1`]);
    expect(first.output()).toContain("Stored blocks have other logs than the chain");
    expect([await served(), await passport(agentId)]).toEqual([[old], 0]);

    const family = familyOf(first.child);
    expect(family.length).toBeGreaterThan(2);
    first.child.kill("SIGKILL");
    await expect.poll(() => family.filter(isAlive), WAIT).toEqual([]);
    expect(await isListening()).toBe(false);

    const second = startSupervisor();
    await expect.poll(schemas, WAIT).toEqual([`${old}_1`]);
    expect([await served(), await passport(agentId)]).toEqual([[`${old}_1`], 1]);
    expect(await faults()).toEqual([
      {
        found_by: "reread",
        from_block: String(blockNumber),
        to_block: String(blockNumber),
        detail: "Blocks with other logs: 1.",
        rebuilt_as: `${old}_1`,
        mended: true,
      },
    ]);
    expect(await isReady()).toBe(true);

    const third = startSupervisor();
    expect(await once(third.child, "exit")).toEqual([1, null]);
    const refusal = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`;
    expect(third.output()).toContain(refusal);
    const remaining = familyOf(second.child);
    second.child.kill("SIGTERM");
    expect(await once(second.child, "exit")).toEqual([0, null]);
    await expect.poll(() => remaining.filter(isAlive), WAIT).toEqual([]);
  }, 900_000);
});

it("an indexer that is busy ends with its supervisor", async () => {
  const child = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      "--input-type=module",
      "--eval",
      `import { endWithSupervisor } from "./indexer/end-with-supervisor.ts";
       endWithSupervisor("3");
       process.stdout.write("busy");
       for (;;);`,
    ],
    { stdio: ["ignore", "pipe", "inherit", "pipe"] },
  );
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const exit = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  (child.stdio[3] as unknown as { destroy(): void }).destroy();
  expect(await exit).toEqual([null, "SIGKILL"]);
}, 60_000);

/** Reads of all views at once, in many orders, until they are stopped. */
async function startReads(connections: number) {
  const views = await names(VIEWS);
  const errors: unknown[] = [];
  let reads = 0;
  let isOver = false;
  async function read(first: number): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (let turn = first; !isOver; turn += 1) {
      const turned = [...views.slice(turn % views.length), ...views.slice(0, turn % views.length)];
      const order = turn % 2 === 0 ? turned : turned.toReversed();
      const counts = order.map((view) => `(select count(*) from chain."${view}")`);
      // The sleep holds the views for longer, and leaves the processor to others.
      await client.query(`select ${counts}, pg_sleep(0.02)`).catch((error) => errors.push(error));
      reads += 1;
    }
    await client.end();
  }
  const readers = Array.from({ length: connections }, (_, first) => read(first));
  return {
    errors,
    reads: () => reads,
    async stop() {
      isOver = true;
      await Promise.all(readers);
    },
  };
}

const VIEWS = "select viewname as name from pg_views where schemaname = 'chain' order by 1";
const DEADLOCKS =
  "select deadlocks::text as name from pg_stat_database where datname = current_database()";
/** The views with their numbers, which other ones of the same names would not have. */
const SAME_VIEWS =
  "select relname || oid as name from pg_class where relnamespace = 'chain'::regnamespace order by 1";

it("reads of all views go on while the indexer starts again and again", async () => {
  let indexer = startSupervisor();
  await expect.poll(isReady, WAIT).toBe(true);
  const before = await names(SAME_VIEWS);
  const { errors, reads, stop } = await startReads(4);
  for (let start = 0; start < STARTS; start += 1) {
    const soFar = reads();
    await stopped(indexer.child);
    indexer = startSupervisor();
    await expect.poll(isReady, WAIT).toBe(true);
    expect(reads()).toBeGreaterThan(soFar);
  }
  await stop();
  expect([errors, await names(DEADLOCKS)]).toEqual([[], ["0"]]);
  expect(await names(SAME_VIEWS)).toEqual(before);
}, 900_000);
