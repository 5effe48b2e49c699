import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { lineProgress } from "./lib/progress.ts";
import { runAttached } from "./lib/run.ts";
import { helpText, readArguments, UsageError } from "./lib/usage.ts";
import { type ComponentName, type Stack, startStack } from "./local-stack/stack.ts";
import { IndexLag } from "./soak/index-lag.ts";
import { createLife, newTally, type Tally } from "./soak/life.ts";
import {
  COLLECTABLE,
  collectGarbage,
  JUDGED_AFTER_MINUTES,
  type MemorySample,
  privateMemory,
  settledGrowth,
} from "./soak/memory.ts";

/** At this pace the local chain, which keeps every block in memory, grows by less than the limit. In `help/soak.txt` too. */
const LIVES_PER_MINUTE = 6;

const COMPONENTS = ["chain", "postgres", "indexer", "api"] as const satisfies ComponentName[];
/** The first requests compile code and open connections on both sides. */
const LAG_JUDGED_AFTER_MINUTES = 1;
const MOST_LAG_MS = 1_000;
const MOST_GROWTH = 1;
const LAG_SAMPLE_MS = 100;
const MEMORY_SAMPLE_MS = 10_000;
/** Delay between collecting garbage and reading memory. */
const COLLECTED_MS = 2_000;
const REPORT_MS = 30_000;
const SHOWN_PROBLEMS = 10;

const PARTS: readonly string[] = ["stack", "indexer", "properties", "contracts"];
const INDEXER_TESTS = ["test/indexer/faulty-provider.test.ts"];
const CONTRACT_TESTS = "test/contracts/invariants/Protocol.invariants.t.sol";

/** The measurements of the run. */
interface Measured {
  readonly tally: Tally;
  readonly memory: Readonly<Record<ComponentName, MemorySample[]>>;
  readonly heads: { readonly minute: number; readonly block: number }[];
  lagSamples: number;
  lateSamples: number;
  longestLagMs: number;
}

const values = soakArguments();
const minutes = positive("--minutes", values.minutes);
const lifeMs = 60_000 / positive("--lives-per-minute", values["lives-per-minute"]);

if (values.help) {
  process.stdout.write(helpText("soak"));
  process.exit(0);
}
if (values.only !== undefined && !PARTS.includes(values.only)) {
  process.stderr.write(`--only must be ${PARTS.join(", ")}; it is "${values.only}".\n`);
  process.exit(2);
}
if (process.platform !== "linux") {
  process.stderr.write("The soak reads memory from /proc, which only Linux has.\n");
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), "soak-"));
process.once("exit", (code) => {
  if (code === 0) rmSync(directory, { recursive: true, force: true });
  else process.stderr.write(`The logs of all processes are in ${join(directory, "logs")}.\n`);
});
const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => abort.abort(new Error("The soak was interrupted.")));
}

let isGood = true;
try {
  if (isWanted("stack")) isGood = await soakStack();
  // It gives the indexer a provider that misbehaves.
  if (isWanted("indexer")) isGood = (await soakTests({ SOAK: "1" }, INDEXER_TESTS)) && isGood;
  if (isWanted("properties"))
    isGood = (await soakTests({ SVC_SOAK: "1" }, ["test/protocol/"])) && isGood;
  if (isWanted("contracts")) isGood = (await soakContracts()) && isGood;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  isGood = false;
}
process.exit(isGood ? 0 : 1);

function isWanted(part: (typeof PARTS)[number]): boolean {
  return values.only === undefined || values.only === part;
}

async function soakStack(): Promise<boolean> {
  const stack = await startStack({
    directory,
    ports: { chain: 0, postgres: 0, indexer: 0, api: 0 },
    environment: COLLECTABLE,
    // Fifteen minutes may register more agents than a day's sponsorship covers.
    apiEnvironment: { SPONSORED_GAS_PER_DAY: "2000000000000" },
    progress: lineProgress(),
    signal: abort.signal,
  });
  try {
    return summarise(await soak(stack));
  } finally {
    await stack.stop();
  }
}

/** The long form of tests. */
async function soakTests(
  environment: Readonly<Record<string, string>>,
  files: readonly string[],
): Promise<boolean> {
  const exitCode = await runAttached(
    "vitest",
    // The files first: a path after this option would be its value.
    ["run", ...files, "--config", "vitest.config.ts", "--disable-console-intercept"],
    { environment, signal: abort.signal },
  );
  return exitCode === 0;
}

/** 1,000 sequences of 200 calls over all contracts together. A test of one file does not build the contracts. */
async function soakContracts(): Promise<boolean> {
  const tests = ["test", "solidity", "--test-profile", "soak", CONTRACT_TESTS];
  for (const args of [["build"], tests]) {
    if ((await runAttached("hardhat", args, { signal: abort.signal })) !== 0) return false;
  }
  return true;
}

async function soak(stack: Stack): Promise<Measured> {
  const measured: Measured = {
    tally: newTally(),
    memory: { chain: [], postgres: [], indexer: [], api: [] },
    heads: [],
    lagSamples: 0,
    lateSamples: 0,
    longestLagMs: 0,
  };
  const startedAt = performance.now();
  const minute = () => (performance.now() - startedAt) / 60_000;
  const end = new AbortController();
  const signal = AbortSignal.any([abort.signal, end.signal]);
  const pool = new pg.Pool({ connectionString: stack.urls.database, max: 1 });
  /** Runs `work` every `interval` milliseconds, or without a pause when it takes longer. */
  const repeat = async (interval: number, work: () => unknown) => {
    while (!signal.aborted) {
      const begun = performance.now();
      await work();
      const rest = Math.max(0, interval - (performance.now() - begun));
      await delay(rest, undefined, { signal }).catch(() => {});
    }
  };

  const lag = new IndexLag();
  const life = createLife(stack, measured.tally);
  const died = stack.failure.then((error) => {
    throw error;
  });
  const all = Promise.all([
    repeat(lifeMs, life.next),
    repeat(LAG_SAMPLE_MS, async () => {
      const ms = lag.sample(await headOf(stack), await indexedBlock(pool), performance.now());
      if (minute() < LAG_JUDGED_AFTER_MINUTES) return;
      measured.lagSamples += 1;
      if (ms > MOST_LAG_MS) measured.lateSamples += 1;
      measured.longestLagMs = Math.max(measured.longestLagMs, ms);
    }),
    repeat(MEMORY_SAMPLE_MS, async () => {
      const running = COMPONENTS.flatMap((component) => {
        const pid = stack.pidOf(component);
        return pid === undefined ? [] : [{ component, pid }];
      });
      for (const { pid } of running) collectGarbage(pid);
      await delay(COLLECTED_MS, undefined, { signal }).catch(() => {});
      measured.heads.push({ minute: minute(), block: await headOf(stack) });
      for (const { component, pid } of running) {
        measured.memory[component].push({ minute: minute(), megabytes: privateMemory(pid) });
      }
    }),
    repeat(REPORT_MS, () => report(minute(), measured)),
  ]);
  const over = delay(minutes * 60_000, undefined, { signal: abort.signal });
  try {
    await Promise.race([over, all, died]);
    abort.signal.throwIfAborted();
  } finally {
    end.abort();
    await all.catch(() => {});
    await pool.end();
  }
  return measured;
}

function report(minute: number, { tally, memory, longestLagMs }: Measured): void {
  const megabytes = COMPONENTS.map(
    (name) => `${name} ${memory[name].at(-1)?.megabytes.toFixed(0) ?? "?"} MB`,
  );
  const done = `${tally.registrations} registrations, ${tally.signIns} sign-ins, ${tally.chronicles} chronicles, ${tally.sales} sales`;
  console.log(
    `minute ${minute.toFixed(1)}: ${done}; longest lag ${longestLagMs.toFixed(0)} ms; ${megabytes.join(", ")}; ${tally.serverErrors.length + tally.surprises.length} problems`,
  );
}

/** Prints the table and returns whether all limits held. */
function summarise(measured: Measured): boolean {
  const { tally, memory, lagSamples, lateSamples, longestLagMs } = measured;
  const rows = [
    {
      what: "lives (registrations, sign-ins, chronicles, sales)",
      found: [tally.registrations, tally.signIns, tally.chronicles, tally.sales].join(", "),
      limit: "some of each",
      held: Math.min(tally.registrations, tally.signIns, tally.chronicles, tally.sales) > 0,
    },
    {
      what: `samples of the index later than ${MOST_LAG_MS} ms, after minute ${LAG_JUDGED_AFTER_MINUTES}`,
      found: `${lateSamples} of ${lagSamples}, longest ${longestLagMs.toFixed(0)} ms`,
      limit: "0",
      held: lateSamples === 0 && lagSamples > 0,
    },
    ...COMPONENTS.map((component) => {
      const perMinute = settledGrowth(memory[component]);
      const found =
        perMinute === undefined ? "run too short" : `${perMinute.toFixed(2)} MB a minute`;
      return {
        what: `memory of ${component} after minute ${JUDGED_AFTER_MINUTES}`,
        found: `${found}, last ${memory[component].at(-1)?.megabytes.toFixed(0)} MB`,
        limit: `below ${MOST_GROWTH} MB a minute`,
        held: perMinute === undefined ? undefined : perMinute < MOST_GROWTH,
      };
    }),
    {
      what: `answers of 500 or above, in ${tally.requests} requests`,
      found: String(tally.serverErrors.length),
      limit: "0",
      held: tally.serverErrors.length === 0,
    },
    {
      what: "unexpected answers",
      found: String(tally.surprises.length),
      limit: "0",
      held: tally.surprises.length === 0,
    },
  ];
  console.log(
    `\n${minutes} minutes, ${values["lives-per-minute"]} lives a minute, ${perBlock(measured)}\n`,
  );
  console.log("| what | found | limit | held |\n| --- | --- | --- | --- |");
  for (const { what, found, limit, held } of rows) {
    const verdict = held === undefined ? "not judged" : held ? "yes" : "**no**";
    console.log(`| ${what} | ${found} | ${limit} | ${verdict} |`);
  }
  for (const problem of [...tally.serverErrors, ...tally.surprises].slice(0, SHOWN_PROBLEMS)) {
    console.log(`  ${problem}`);
  }
  return rows.every(({ held }) => held !== false);
}

/** What the local chain keeps of a block in memory. */
function perBlock({ heads, memory }: Measured): string {
  const [first, last] = [heads[0], heads.at(-1)];
  const perMinute = settledGrowth(memory.chain);
  if (!first || !last || first === last || perMinute === undefined) return "too short to measure";
  const blocksPerMinute = (last.block - first.block) / (last.minute - first.minute);
  const kilobytes = (perMinute * 1_024) / blocksPerMinute;
  return `${blocksPerMinute.toFixed(1)} blocks a minute, ${kilobytes.toFixed(0)} KiB of chain memory a block`;
}

async function headOf(stack: Stack): Promise<number> {
  const response = await fetch(stack.urls.rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] }),
  });
  return Number(((await response.json()) as { result: string }).result);
}

/**
 * The block number stands in the checkpoint after ten digits of time and sixteen of the chain id.
 */
async function indexedBlock(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ block: string }>(
    "select substr(latest_checkpoint, 27, 16) as block from chain._ponder_checkpoint",
  );
  return Number(rows[0]?.block);
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (number > 0) return number;
  process.stderr.write(`${option} must be a number above 0; it is "${value}".\n`);
  process.exit(2);
}

function soakArguments() {
  try {
    return readArguments({
      options: {
        minutes: { type: "string", default: "15" },
        only: { type: "string" },
        "lives-per-minute": { type: "string", default: String(LIVES_PER_MINUTE) },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${helpText("soak")}`);
    process.exit(2);
  }
}
