import { setTimeout as delay } from "node:timers/promises";
import { processorTime } from "./cpu.ts";
import type { Shot } from "./load.ts";
import type { Server } from "./servers.ts";

/** One side of a comparison: a server that answers requests. */
export interface Side {
  readonly name: string;
  readonly server: Server;
  /** Requests per round. */
  readonly count: number;
  prepare(count: number): Promise<readonly Shot[]> | readonly Shot[];
  /** Begins what goes on beside the requests, and returns what ends it. */
  beside?(): () => void;
}

/** One side of a comparison: a process that carries out what was put before it. */
export interface WorkSide {
  readonly name: string;
  readonly pid: number;
  /** Puts the work of a round before the process. */
  prepare(): Promise<void>;
  /** Resolves once that work is done. */
  work(): Promise<Done>;
}

/** What was done, and how long it took. */
export interface Done {
  readonly count: number;
  readonly seconds: number;
}

/** The processes that the servers depend on. */
export interface SharedProcesses {
  readonly chain: number;
  readonly postgres: number;
}

type Cost = Readonly<Record<"server" | keyof SharedProcesses, number>>;

/** What one round of one side took. */
export interface Round {
  readonly perSecond: number;
  /** Processor time per request in milliseconds. */
  readonly cost: Cost;
}

/** The result of one side: medians over the rounds, and how far the rounds differ. */
export interface Measured extends Round {
  readonly name: string;
  readonly spread: {
    readonly perSecond: Range;
    /** Of the server's own processor time. */
    readonly server: Range;
  };
}

export type Range = readonly [lowest: number, highest: number];

const ROUNDS = 7;
const IDLE_MS = 5_000;
/** Processor milliseconds a second of all processes together below which none works on anything that was begun before. */
const AT_REST = 200;
const MAX_WAIT_MS = 300_000;

/** Processor milliseconds that a process uses each second without requests. */
const idleCosts = new Map<number, number>();

/**
 * Runs all sides in turn, round after round, so that other load on the machine affects all of them.
 * The first round is a warm-up and does not count. What a process uses without requests, for a
 * follower of the chain or a queue, is subtracted: on a busy machine a round takes longer and would
 * count more of it.
 */
export async function compare<const Sides extends readonly (Side | WorkSide)[]>(
  shared: SharedProcesses,
  sides: Sides,
  rounds = ROUNDS,
): Promise<{ [Index in keyof Sides]: Measured }> {
  await measureIdle([...sides.map(pidOf), ...Object.values(shared)]);
  const results: Round[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const result = await runRound(shared, side);
      if (round > 0) results[index]?.push(result);
    }
  }
  return sides.map(({ name }, index) => summary(name, results[index] ?? [])) as {
    [Index in keyof Sides]: Measured;
  };
}

async function runRound(shared: SharedProcesses, side: Side | WorkSide): Promise<Round> {
  const carryOut = await prepared(side);
  const pids: Cost = { server: pidOf(side), ...shared };
  const before = costs(pids);
  const startedAt = performance.now();
  const { count, seconds } = await carryOut();
  const passed = (performance.now() - startedAt) / 1_000;
  const after = costs(pids);
  const per = (key: keyof Cost) =>
    Math.max(0, after[key] - before[key] - passed * (idleCosts.get(pids[key]) ?? 0)) / count;
  return {
    perSecond: count / seconds,
    cost: { server: per("server"), chain: per("chain"), postgres: per("postgres") },
  };
}

/** What a round measures. */
async function prepared(side: Side | WorkSide): Promise<() => Promise<Done>> {
  if ("work" in side) {
    await side.prepare();
    return () => side.work();
  }
  const { server, count } = side;
  const shots = await side.prepare(count);
  return async () => {
    const end = side.beside?.();
    const seconds = await server.load.fire(shots).finally(end);
    return { count: shots.length, seconds };
  };
}

function pidOf(side: Side | WorkSide): number {
  return "work" in side ? side.pid : side.server.pid;
}

/**
 * Waits until the processes are at rest. What a job of the preparation uses is not what they use without
 * requests, and subtracted from each round it would hide what the requests cost.
 */
async function measureIdle(pids: readonly number[]): Promise<void> {
  const missing = [...new Set(pids)].filter((pid) => !idleCosts.has(pid));
  if (missing.length === 0) return;
  const started = performance.now();
  for (;;) {
    const before = missing.map(processorTime);
    await delay(IDLE_MS);
    let total = 0;
    for (const [index, pid] of missing.entries()) {
      const used = (processorTime(pid) - (before[index] ?? 0)) / (IDLE_MS / 1_000);
      total += used;
      idleCosts.set(pid, Math.min(used, idleCosts.get(pid) ?? used));
    }
    if (total <= AT_REST) return;
    if (performance.now() - started < MAX_WAIT_MS) continue;
    console.warn(`The processes did not come to rest: they use ${Math.round(total)} ms a second.`);
    return;
  }
}

function costs(pids: Cost): Cost {
  return {
    server: processorTime(pids.server),
    chain: processorTime(pids.chain),
    postgres: processorTime(pids.postgres),
  };
}

/** The medians of a side's rounds. */
export function summary(name: string, rounds: readonly Round[]): Measured {
  const perSecond = rounds.map((round) => round.perSecond);
  const [server, chain, postgres] = (["server", "chain", "postgres"] as const).map((key) =>
    rounds.map(({ cost }) => cost[key]),
  ) as [number[], number[], number[]];
  return {
    name,
    perSecond: median(perSecond),
    cost: { server: median(server), chain: median(chain), postgres: median(postgres) },
    spread: { perSecond: rangeOf(perSecond), server: rangeOf(server) },
  };
}

function rangeOf(values: readonly number[]): Range {
  return [Math.min(...values), Math.max(...values)];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
