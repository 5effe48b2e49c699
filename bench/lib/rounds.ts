import { setTimeout as delay } from "node:timers/promises";
import { processorTime } from "./cpu.ts";
import type { Shot } from "./load.ts";
import type { Server } from "./servers.ts";

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  readonly server: Server;
  /** Requests per round. */
  readonly count: number;
  prepare(count: number): Promise<readonly Shot[]> | readonly Shot[];
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

/** Processor milliseconds that a process uses each second without requests. */
const idleCosts = new Map<number, number>();

/**
 * Runs all sides in turn, round after round, so that other load on the machine affects all of them.
 * The first round is a warm-up and does not count. What a process uses without requests, for a
 * follower of the chain or a queue, is subtracted: on a busy machine a round takes longer and would
 * count more of it.
 */
export async function compare<const Sides extends readonly Side[]>(
  shared: SharedProcesses,
  sides: Sides,
  rounds = ROUNDS,
): Promise<{ [Index in keyof Sides]: Measured }> {
  await measureIdle([...sides.map(({ server }) => server.pid), ...Object.values(shared)]);
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

async function runRound(shared: SharedProcesses, side: Side): Promise<Round> {
  const { server, count } = side;
  const shots = await side.prepare(count);
  const pids: Cost = { server: server.pid, ...shared };
  const before = costs(pids);
  const seconds = await server.load.fire(shots);
  const after = costs(pids);
  const per = (key: keyof Cost) =>
    Math.max(0, after[key] - before[key] - seconds * (idleCosts.get(pids[key]) ?? 0)) /
    shots.length;
  return {
    perSecond: shots.length / seconds,
    cost: { server: per("server"), chain: per("chain"), postgres: per("postgres") },
  };
}

async function measureIdle(pids: readonly number[]): Promise<void> {
  const missing = [...new Set(pids)].filter((pid) => !idleCosts.has(pid));
  if (missing.length === 0) return;
  const before = missing.map(processorTime);
  await delay(IDLE_MS);
  for (const [index, pid] of missing.entries()) {
    const used = processorTime(pid) - (before[index] ?? 0);
    idleCosts.set(pid, used / (IDLE_MS / 1_000));
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
