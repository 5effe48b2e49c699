import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { indexerSchemaName } from "../../scripts/lib/indexer-command.ts";
import {
  type IndexerPlace,
  type StartingIndexer,
  spawnIndexer,
} from "../../test/fixtures/indexer.ts";
import { processorTime } from "../lib/cpu.ts";
import { withDatabase } from "../lib/database.ts";
import { costTable, judged } from "../lib/measured-table.ts";
import { MINIMAL_SCHEMA, spawnMinimalPonder } from "../lib/minimal-ponder.ts";
import { OPTIONS, OPTIONS_HELP } from "../lib/options.ts";
import { type Comparison, comparisonTable, publish } from "../lib/report.ts";
import { type Measured, type Round, summary } from "../lib/rounds.ts";
import { settingsEnvironment } from "../lib/settings.ts";
import { CONTRACTS } from "./events.ts";

const CHAIN_ID = 31_337;
const READY_MS = 1_800_000;
const AIM = 0.8;

const HELP = `Usage: npm --prefix bench run indexing [-- options]

Generates a chain of mixed events and indexes it by turns with the indexer, with a minimal Ponder app and with a loop that copies
logs: with an empty cache of the chain, and from the cache. Prints a table and writes it into bench/README.md. An aim that is missed
is reported, not an error.

Options
  --events <n>      Events of the chain, default 100000
  --rounds <n>      Rounds, default 3
  --only <word>     Only runs whose name has this word. Implies --dry-run. Without a cold run, the first round fills the cache
${OPTIONS_HELP.replace("API", "indexer")}`;

const BOUND =
  "the minimal app writes one row of six columns per event and changes none. Ours makes 1.9 writes per event, of 4 to 45 columns: a row of history and up to three current rows. " +
  "Ponder's store alone, without chain and PostgreSQL, takes 10 µs of an event in the minimal app and 40 µs in ours. Reading and decoding the event costs both some 40 µs. " +
  "The aim leaves ours 22 µs, about the price of two of the minimal app's writes. Ponder normalizes and copies all columns of a row at each change, and writes a row twice that is created and changed in one batch. " +
  "On a short chain the creation of tables and indexes weighs more: 20,000 events reached 43 % by processor time, 60,000 and more 50 to 55 %. " +
  "Tried, and kept, though from the cache it hardly shows: each metadata key is hashed once, a sealed soul is written once, all filters share one look for the newest logs of a range, and the API's transport reads the node. " +
  "Tried, and dropped, because the rounds differ by more: inserts of a soul that give every column, so that its object keeps one shape; addresses compared without validation; a larger young generation of the heap. " +
  "Not taken: the time of a soul's last activity in a table of its own (about 4 points without writing it at all), since every list of agents would join it; sums of payments and feedback as views, since reads would grow with them.";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    ...OPTIONS,
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const section = await withChain(Number(values.events), measure);
  publish("indexing", section, values["dry-run"] || values.only !== "");
}
process.exit();

/** What every run needs. */
interface World extends IndexerPlace {
  readonly events: number;
  readonly blocks: number;
  readonly chainPid: number;
}

/** A way to index the chain. */
interface Way {
  readonly name: string;
  /** Postgres schemas that are removed first. */
  readonly removed: readonly string[];
  run(world: World): Promise<Run>;
}

/** Seconds and processor milliseconds of all events. */
interface Run {
  readonly seconds: number;
  readonly process: number;
  readonly postgres: number;
  readonly chain: number;
}

function waysOf(world: World): readonly Way[] {
  const cache = "ponder_sync";
  const own = [indexerSchemaName(world.deploymentPath), "chain"];
  const ours = () => timed(world, () => spawnIndexer(world));
  const theirs = () => timed(world, () => spawnMinimalPonder(world, world.environment));
  return [
    { name: "ours, cold", removed: [cache, ...own], run: ours },
    { name: "ours, from cache", removed: own, run: ours },
    { name: "minimal Ponder, cold", removed: [cache, MINIMAL_SCHEMA], run: theirs },
    { name: "minimal Ponder, from cache", removed: [MINIMAL_SCHEMA], run: theirs },
    { name: "copy loop", removed: [], run: () => copyLogs(world) },
  ].filter(({ name }) => name.includes(values.only));
}

async function measure(world: World): Promise<string> {
  const ways = waysOf(world);
  const rounds = new Map<string, Round[]>(ways.map(({ name }) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const { name, removed, run } of ways) {
      await query(
        world.databaseUrl,
        removed.map((schema) => `drop schema if exists ${schema} cascade;`).join("\n"),
      );
      const { seconds, ...cost } = await run(world);
      console.log(`${name}: ${seconds.toFixed(1)} s`);
      const per = (ms: number) => ms / world.events;
      rounds.get(name)?.push({
        perSecond: world.events / seconds,
        cost: { server: per(cost.process), postgres: per(cost.postgres), chain: per(cost.chain) },
      });
    }
  }
  const measured = new Map(
    ways.map(({ name }) => [name, summary(name, rounds.get(name) ?? [])] as const),
  );
  const comparisons = ["cold", "from cache"].flatMap((what): Comparison[] => {
    const ours = measured.get(`ours, ${what}`);
    const peer = measured.get(`minimal Ponder, ${what}`);
    return ours && peer ? judgements(what, ours, peer) : [];
  });
  const rows = [{ what: "indexing", sides: [...measured.values()] }];
  return [
    `${world.events.toLocaleString("en-US")} events in ${world.blocks.toLocaleString("en-US")} blocks.`,
    comparisonTable(comparisons),
    costTable(rows, { unit: "event", digits: 3 }),
  ].join("\n\n");
}

function judgements(what: string, ours: Measured, peer: Measured): Comparison[] {
  return (["processor", "throughput"] as const).map((rate) =>
    judged({
      what,
      rate,
      ours,
      peer: { ...peer, name: "minimal Ponder" },
      aim: AIM,
      bound: BOUND,
      unit: "events",
    }),
  );
}

/** Indexes the whole chain. The time of starting, before the first request for a block, does not count. */
async function timed(world: World, spawn: () => Promise<StartingIndexer>): Promise<Run> {
  const postgres = await postgresPid(world.databaseUrl);
  const indexer = await spawn();
  await indexer.ready(READY_MS, "/health");
  const used = () => ({
    seconds: performance.now() / 1_000,
    process: processorTime(indexer.pid),
    postgres: processorTime(postgres),
    chain: processorTime(world.chainPid),
  });
  const before = used();
  await indexer.ready(READY_MS);
  const after = used();
  await indexer.stop();
  return {
    seconds: after.seconds - before.seconds,
    process: after.process - before.process,
    postgres: after.postgres - before.postgres,
    chain: after.chain - before.chain,
  };
}

async function copyLogs(world: World): Promise<Run> {
  const postgres = await postgresPid(world.databaseUrl);
  const used = () => [processorTime(postgres), processorTime(world.chainPid)] as const;
  const before = used();
  const startedAt = performance.now();
  const child = fork(fileURLToPath(new URL("./copy-loop.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
    env: {
      ...process.env,
      ...settingsEnvironment({ ...world, blocks: String(world.blocks) }),
    },
  });
  const [message] = (await once(child, "message")) as [{ processorMs: number }];
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = used();
  await once(child, "exit");
  return {
    seconds,
    process: message.processorMs,
    postgres: after[0] - before[0],
    chain: after[1] - before[1],
  };
}

/** Runs `work` with a chain of so many events and an empty database. */
async function withChain(events: number, work: (world: World) => Promise<string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "svc-bench-indexing-"));
  const deploymentPath = join(directory, "deployment.json");
  const deployment = { chainId: CHAIN_ID, contracts: CONTRACTS, startBlock: 0 };
  await writeFile(deploymentPath, JSON.stringify(deployment));
  const chain = fork(fileURLToPath(new URL("./chain-server.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
    env: {
      ...process.env,
      ...settingsEnvironment({ chainId: String(CHAIN_ID), events: String(events) }),
    },
  });
  try {
    const [url] = await once(chain, "message");
    const size = (await (await fetch(`${url}/size`)).json()) as { events: number; blocks: number };
    return await withDatabase(({ url: databaseUrl }) =>
      work({
        ...size,
        chainPid: chain.pid ?? Number.NaN,
        rpcUrl: String(url),
        databaseUrl,
        deploymentPath,
        environment: profiling(),
      }),
    );
  } finally {
    chain.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

function profiling(): Readonly<Record<string, string>> {
  const directory = values["cpu-prof"];
  if (directory === undefined) return {};
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(resolve(directory))}` };
}

async function postgresPid(databaseUrl: string): Promise<number> {
  const rows = await query(databaseUrl, "select pg_read_file('postmaster.pid') as lines");
  return Number(String(rows[0]?.lines).split("\n")[0]);
}

async function query(databaseUrl: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
